import { existsSync } from 'node:fs';
import { onFreePorts } from './listening.ts';
import { missing } from './missing.ts';
import { TestProcess } from './process.ts';

const ACTIVATE = '/usr/bin/systemd-socket-activate';

export const supervisorMissing = missing('Supervisor', existsSync(ACTIVATE), 'install Debian’s systemd.');

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
		const supervisor = new TestProcess(args, { program: ACTIVATE, detached: true });
		await supervisor.printed(/^Listening/m);
		return { supervisor, url: `http://127.0.0.1:${port}` };
	});
	// The first request starts it.
	const answers = async () => (await fetch(`${url}/api/status`, { headers: { connection: 'close' } })).bytes();
	await answers();
	let restarts = 0;
	return {
		url,
		/** Ends the server as systemd would, and starts it again. Resolves when the first one has ended in good order, and the next answers. */
		async restart(): Promise<void> {
			supervisor.signal('SIGHUP');
			restarts += 1;
			await supervisor.printed(new RegExp(`(restarted after \\d[^]*){${restarts}}`));
			if (/restarted after (?!0)\d/.test(supervisor.output))
				throw new Error(`The server did not end well:\n${supervisor.output}`);
			await answers();
		},
		async [Symbol.asyncDispose](): Promise<void> {
			// The server ends with its supervisor.
			process.kill(-supervisor.pid, 'SIGKILL');
			await supervisor[Symbol.asyncDispose]();
		},
	};
}
