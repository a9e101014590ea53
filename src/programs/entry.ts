import { hideExpectedWarning, requireNode } from './node-version.ts';

requireNode();
hideExpectedWarning();
await import('../server/node.ts');
