import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
await import('../../server/node.ts');
