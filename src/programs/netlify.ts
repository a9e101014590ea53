import { requireNode } from './node-version.ts';

requireNode();
const { default: answer } = await import('../function/hosts/netlify.ts');
export default answer;
