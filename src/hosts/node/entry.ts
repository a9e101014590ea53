import { requireNode } from './node-version.ts';

requireNode();
await import('../../server/node.ts');
