import { requireNode } from './node-version.ts';
import { hideExpectedWarning } from './node-warnings.ts';

requireNode();
hideExpectedWarning();
await import('./operator.ts');
