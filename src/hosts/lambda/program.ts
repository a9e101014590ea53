import { requireNode } from '../../programs/node-version.ts';

requireNode();
export const { handler } = await import('./entry.ts');
