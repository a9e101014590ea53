import { requireNode } from './node-version.ts';

requireNode();
export const { handler } = await import('../function/hosts/lambda.ts');
