import { readFileSync } from 'node:fs';
import { startServer } from '../support/server.ts';
import { testHost } from './contract/test-host.ts';
import { deno, startProgram } from './support/programs.ts';

const handbook = readFileSync('handbook/hosts.md', 'utf8');
/** Returns the permissions of a command of the handbook, with other folders for the build and the store. */
const rightsOf = (command: string, program: string) => [
	'--no-prompt',
	...new RegExp(`\\bdeno ${command} (.*) dist/server/${program}`)
		.exec(handbook)![1]!
		.replaceAll('dist/', 'var/test/dist/')
		.replaceAll(/\bvar(?=[, ]|$)/g, '/tmp')
		.split(' '),
];

testHost({
	name: 'Deno',
	serves: 'everything',
	start: (settings) => startServer(settings, ['run', ...rightsOf('run', 'entry.mjs')], deno),
});

testHost({
	name: 'Deno, the function',
	serves: 'operations',
	start: (settings) =>
		startProgram(deno, (port) => {
			const args = ['serve', '--host', '127.0.0.1', '--port', port, ...rightsOf('serve', 'function.mjs')];
			return { args: [...args, 'var/test/dist/server/function.mjs'], env: settings };
		}),
});
