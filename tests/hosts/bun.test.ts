import { startServer } from '../support/server.ts';
import { testHost } from './contract/test-host.ts';
import { bun, startProgram } from './support/programs.ts';

testHost({ name: 'Bun', serves: 'everything', start: (settings) => startServer(settings, [], bun) });

testHost({
	name: 'Bun, the function',
	serves: 'operations',
	start: (settings) =>
		startProgram(bun, (port) => ({ args: ['var/test/dist/server/function.mjs'], env: { ...settings, BUN_PORT: port } })),
});
