import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printed } from './printed.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { tethered } from './tether.ts';
import { user } from './user.ts';

export interface ServerControl {
	/** Ends every connection and returns when the server is down. */
	stop(): Promise<void>;
	/** Returns when the server takes connections. */
	start(): Promise<void>;
}

const options = ['--username=test', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];

/** Starts a server of these binaries, on a socket in its own folder, without ports. */
export async function throwAwayServer(binaries: string): Promise<ServerControl & AsyncDisposable & { url: string }> {
	const folder = await temporaryFolder();
	// PostgreSQL refuses to run as root.
	const owner = process.getuid?.() === 0 ? user('postgres') : undefined;
	if (owner) chownSync(folder.path, owner.uid, owner.gid);
	const data = join(folder.path, 'data');
	const at = { cwd: folder.path, ...owner };
	await promisify(execFile)(join(binaries, 'initdb'), ['--pgdata', data, ...options], at);

	let server: ChildProcess;
	const start = async () => {
		const args = ['-D', data, '-k', folder.path, '-c', 'listen_addresses='];
		const run = () => spawn(join(binaries, 'postgres'), args, { ...at, stdio: ['ignore', 'ignore', 'pipe'] });
		// After SIGKILL it would leave its shared memory behind.
		const started = tethered(run, 'QUIT');
		server = started;
		await printed(started.stderr, /ready to accept connections/);
	};
	await start();
	return {
		url: `postgres://test@localhost/postgres?host=${encodeURIComponent(folder.path)}`,
		start,
		stop: () => end(server, 'SIGINT'),
		async [Symbol.asyncDispose]() {
			await end(server, 'SIGQUIT');
			await folder[Symbol.asyncDispose]();
		},
	};
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (server.exitCode !== null || server.signalCode !== null) return;
	const exit = once(server, 'exit');
	server.kill(signal);
	await exit;
}
