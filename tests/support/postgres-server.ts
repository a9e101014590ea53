import { execFile } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { unlessRoot } from './user.ts';

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
	const user = unlessRoot('postgres');
	if (user) chownSync(folder.path, user.uid, user.gid);
	const data = join(folder.path, 'data');
	await promisify(execFile)(join(binaries, 'initdb'), ['--pgdata', data, ...options], { cwd: folder.path, ...user });

	let server: TestProcess;
	const start = async () => {
		const args = ['-D', data, '-k', folder.path, '-c', 'listen_addresses='];
		// After SIGKILL it would leave its shared memory behind.
		server = new TestProcess(args, { program: join(binaries, 'postgres'), cwd: folder.path, user, end: 'QUIT' });
		await server.printed(/ready to accept connections/);
	};
	await start();
	return {
		url: `postgres://test@localhost/postgres?host=${encodeURIComponent(folder.path)}`,
		start,
		async stop() {
			server.signal('SIGINT');
			await server.exit();
		},
		async [Symbol.asyncDispose]() {
			for (const resource of [server, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}
