import { startServer } from '../support/server.ts';
import { testHost } from './contract/test-host.ts';
import { deno, startProgram } from './support/programs.ts';

/** The permissions from the handbook, with another folder for the store. */
const rights = ['--allow-env', '--allow-net', '--no-prompt'];
const serverRights = ['--allow-sys=hostname,uid,statfs', '--allow-read=var/test/dist/server,/tmp,.env', '--allow-write=/tmp'];

testHost({
	name: 'Deno',
	serves: 'everything',
	start: (settings) => startServer(settings, [], ['run', ...rights, ...serverRights], deno),
});

testHost({
	name: 'Deno, the function',
	serves: 'operations',
	start: (settings) =>
		startProgram(deno, (port) => {
			const args = ['serve', '--host', '127.0.0.1', '--port', port, ...rights, '--allow-sys=hostname'];
			return { args: [...args, 'var/test/dist/server/function.mjs'], env: settings };
		}),
});
