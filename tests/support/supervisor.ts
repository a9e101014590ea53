import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { onFreePorts } from './listening.ts';
import { tethered } from './tether.ts';

const ACTIVATE = '/usr/bin/systemd-socket-activate';

/** Why there is no supervisor to test with, or undefined if there is one. */
export const supervisorMissing = existsSync(ACTIVATE) ? undefined : 'Supervisor tests skipped: install Debian’s systemd.';
if (supervisorMissing) console.warn(supervisorMissing);

/** Runs the server on the socket that it inherits. Restarts it on SIGHUP. */
const SUPERVISOR = `
	const { spawn } = require('node:child_process');
	let server;
	const start = () => {
		server = spawn('sh', ['-c', 'LISTEN_PID=$$ exec "$0" "$@"', process.execPath, 'var/test/dist/server/entry.mjs'],
			{ stdio: ['ignore', 'ignore', 'inherit', 3] });
		server.once('exit', (code) => { start(); console.log('restarted after ' + code); });
	};
	process.on('SIGHUP', () => server.kill('SIGTERM'));
	start();
`;

/** Starts the production server under a supervisor that holds its socket, as systemd does with our units. */
export async function startSupervised(env: Record<string, string>) {
	const passed = Object.entries({ PATH: process.env['PATH']!, ...env }).flatMap(([name, value]) => ['-E', `${name}=${value}`]);
	const { supervisor, url } = await onFreePorts(async (port) => {
		const args = ['-l', `127.0.0.1:${port}`, ...passed, process.execPath, '--eval', SUPERVISOR];
		// Its own process group, so that the server ends with it.
		const supervisor = tethered(() => spawn(ACTIVATE, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
		const [line] = (await once(createInterface(supervisor.stderr), 'line')) as [string];
		if (!line.startsWith('Listening')) throw new Error(line);
		return { supervisor, url: `http://127.0.0.1:${port}` };
	});
	const lines = createInterface(supervisor.stdout);
	return {
		url,
		/** Ends the server as systemd would, and starts it again. Resolves when the first one has ended in good order. */
		async restart(): Promise<void> {
			supervisor.kill('SIGHUP');
			const [line] = (await once(lines, 'line')) as [string];
			if (line !== 'restarted after 0') throw new Error(`The server did not end well: ${line}.`);
		},
		async [Symbol.asyncDispose](): Promise<void> {
			const exit = once(supervisor, 'exit');
			process.kill(-supervisor.pid!, 'SIGKILL');
			await exit;
		},
	};
}
