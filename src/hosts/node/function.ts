import { requireNode } from './node-version.ts';

requireNode();
const program = await import('../../server/function.ts');
export const { fetch, fetchFrom, handler } = program;
export default program.default;
