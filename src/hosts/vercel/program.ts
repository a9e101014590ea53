import { requireNode } from '../../programs/node-version.ts';

requireNode();
const { default: entry } = await import('./entry.ts');
export default entry;
