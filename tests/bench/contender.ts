import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onFreePorts } from '../support/listening.ts';
import { onCore } from './load.ts';
import { record } from './recording.ts';

/** A server under measurement, alone on its core. */
export interface Contender extends AsyncDisposable {
	url: string;
	pid: number | undefined;
	/** From the start of its process to its first answer, in milliseconds. */
	started: number;
	/** Stops the process, so that its other work takes no time from the contenders. */
	pause(): void;
	resume(): void;
}

const SERVER = 'var/test/dist/server/entry.mjs';
const WARM_PATH = '/api/status';

/** Starts the production server of the test build, without a limit on leads. */
export const startOurs = (env: Record<string, string>) => startProgram(SERVER, { LEAD_RATE_LIMIT: 'off', ...env });

/** Runs a program with `node` and drops its log. Resolves at the first answer with 200. */
export const startProgram = (program: string, env: Record<string, string> = {}, path = WARM_PATH) =>
	onFreePorts((port) => startAt(port, program, env, path));

async function startAt(port: number, program: string, env: Record<string, string>, path: string): Promise<Contender> {
	const url = `http://127.0.0.1:${port}`;
	const { PATH = '' } = process.env;
	const start = performance.now();
	const child = spawn(...onCore(0, process.execPath, [program]), {
		env: { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let complaints = '';
	child.stderr!.on('data', (chunk: Buffer) => (complaints += String(chunk)));
	await firstAnswer(url + path, () => {
		if (child.exitCode !== null) throw new Error(`The server for ${url} has ended:\n${complaints}`);
	});
	return {
		url,
		pid: child.pid,
		started: performance.now() - start,
		pause: () => child.kill('SIGSTOP'),
		resume: () => child.kill('SIGCONT'),
		async [Symbol.asyncDispose]() {
			const exit = once(child, 'exit');
			child.kill('SIGCONT');
			child.kill('SIGKILL');
			await exit;
		},
	};
}

async function firstAnswer(url: string, requireRunning: () => void): Promise<void> {
	const { origin, pathname } = new URL(url);
	for (;;) {
		const answer = await record(origin, pathname).catch(() => undefined);
		if (answer?.status === 200) return;
		if (answer) throw new Error(`${url} answers ${answer.status}.`);
		requireRunning();
	}
}
