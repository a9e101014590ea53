import { startServer } from '../support/server.ts';
import { testHost } from './contract/test-host.ts';
import { deno } from './support/programs.ts';

testHost({ name: 'Deno', serves: 'everything', start: (settings) => startServer(settings, [], ['run', '--allow-all'], deno) });
