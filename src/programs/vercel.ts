import { requireNode } from './node-version.ts';

requireNode();
const { default: entry } = await import('../function/hosts/vercel.ts');
export default entry;
