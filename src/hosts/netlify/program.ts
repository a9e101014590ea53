import { requireNode } from '../../programs/node-version.ts';

requireNode();
const { default: answer } = await import('./entry.ts');
export default answer;
