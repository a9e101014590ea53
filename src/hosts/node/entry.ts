import { requireNode } from '../../scripts/node-version.mjs';

requireNode();
// Half of these threads look up names. Of the default four, a webhook's name that nobody answers took both from PostgreSQL's.
process.env['UV_THREADPOOL_SIZE'] ??= '64';
await import('../../server/node.ts');
