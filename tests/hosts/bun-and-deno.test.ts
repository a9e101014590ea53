import { globSync, readFileSync } from 'node:fs';
import { onFreePorts } from '../support/listening.ts';
import { TestProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';
import { disposing } from '../support/temporary-folder.ts';
import { testHost } from './contract.ts';
import { tool } from './support/tools.ts';

/** Returns the program from a package for this system: no install script runs here that would copy it. */
const programOf = (packages: string, name: string) => globSync(tool(`${packages}/${name}`))[0]!;

const bun = programOf('@oven/bun-*/bin', 'bun');
const deno = programOf('@deno/*', 'deno');

testHost({ name: 'Bun', serves: 'everything', start: (settings) => startServer(settings, [], bun) });

testHost({
	name: 'Bun, the function',
	serves: 'operations',
	start: (settings) =>
		startProgram(bun, (port) => ({ args: ['var/test/dist/server/function.mjs'], env: { ...settings, BUN_PORT: port } })),
});

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

const rights = rightsOf('run', 'entry.mjs');
testHost({ name: 'Deno', serves: 'everything', start: (settings) => startServer(settings, ['run', ...rights], deno) });

testHost({
	name: 'Deno, the function',
	serves: 'operations',
	start: (settings) =>
		startProgram(deno, (port) => {
			const args = ['serve', '--host', '127.0.0.1', '--port', port, ...rightsOf('serve', 'function.mjs')];
			return { args: [...args, 'var/test/dist/server/function.mjs'], env: settings };
		}),
});

/** Starts a program that does not report in our way where it listens, with what it is told of a port. */
async function startProgram(program: string, toldOf: (port: string) => { args: string[]; env: Record<string, string> }) {
	const { started, port } = await onFreePorts((port) => {
		const { args, env } = toldOf(String(port));
		return new TestProcess(args, { program, env }).answers(`http://127.0.0.1:${port}/api/status`);
	});
	return { url: `http://127.0.0.1:${port}`, ...disposing(started) };
}
