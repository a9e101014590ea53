import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
const program = await import('../../server/function.ts');
export const { fetch, fetchFrom, handler, tryDue } = program;
export default program.default;
