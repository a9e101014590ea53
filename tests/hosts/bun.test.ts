import { startServer } from '../support/server.ts';
import { testHost } from './contract/test-host.ts';
import { bun } from './support/programs.ts';

testHost({ name: 'Bun', serves: 'everything', start: (settings) => startServer(settings, [], [], bun) });
