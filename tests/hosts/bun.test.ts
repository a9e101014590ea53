import { freePort } from '../support/free-port.ts';
import { startServer } from '../support/server.ts';
import { testHost } from './contract/test-host.ts';
import { bun } from './support/programs.ts';
import { startProgram } from './support/start-program.ts';

testHost({ name: 'Bun', serves: 'everything', start: (settings) => startServer(settings, [], [], bun) });

testHost({
	name: 'Bun, the function',
	serves: 'operations',
	async start(settings) {
		const port = String(await freePort());
		const env = { ...settings, BUN_PORT: port };
		return startProgram({ program: bun, args: ['var/test/dist/server/function.mjs'], env, url: `http://127.0.0.1:${port}` });
	},
});
