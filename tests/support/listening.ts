import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Resolves when a program takes connections on a port of this machine. Rejects with its log if it ends before. */
export async function listening(program: ChildProcess, port: number, log: () => string): Promise<void> {
	while (!(await reached(port))) {
		if (program.exitCode !== null) throw new Error(`The program ended with ${program.exitCode} before it listened:\n${log()}`);
		await wait(10);
	}
}

async function reached(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
