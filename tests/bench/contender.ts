import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { onFreePorts } from '../support/listening.ts';

/** A server under measurement, alone on its core. */
export type Contender = Awaited<ReturnType<typeof startProgram>>;

/** Starts the production server of the test build, with the product's defaults. Its limit counts all, from one address, and refuses none. */
export const startOurs = (env: Record<string, string>) =>
	startProgram('var/test/dist/server/entry.mjs', { LEAD_RATE_LIMIT: '100000000/10m', ...env });

/** Runs a program with `node` and drops its log. Resolves at its first answer to the health check. */
export async function startProgram(program: string, env: Record<string, string>) {
	const { started } = await onFreePorts(async (port) => {
		const url = `http://127.0.0.1:${port}`;
		const { PATH = '' } = process.env;
		const start = performance.now();
		const child = spawn(...onCore(0, process.execPath, [program]), {
			env: { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		let complaints = '';
		child.stderr.on('data', (chunk: Buffer) => (complaints += String(chunk)));
		while (!(await fetch(`${url}/api/status`).catch(() => undefined))?.ok)
			if (child.exitCode !== null) throw new Error(`The server for ${url} has ended:\n${complaints}`);
		return {
			url,
			pid: child.pid!,
			/** From the start of its process to its first answer, in milliseconds. */
			started: performance.now() - start,
			/** Stops the process, so that its other work takes no time from the contenders. */
			pause: () => child.kill('SIGSTOP'),
			resume: () => child.kill('SIGCONT'),
			async [Symbol.asyncDispose]() {
				const exit = once(child, 'exit');
				child.kill('SIGKILL');
				await exit;
			},
		};
	});
	return started;
}

/** Returns the processor time of an answer, in microseconds: other programs on the machine hardly change it. */
export async function costOf(server: Contender, path: string, load?: Load): Promise<number> {
	const start = processorTime(server);
	const { requests } = await answered(server.url + path, load);
	return (processorTime(server) - start) / requests;
}

/** Returns the processor time of a server so far, in microseconds. Only Linux tells it so, in hundredths of a second (proc(5)). */
function processorTime({ pid }: Contender): number {
	const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
	return (Number(user) + Number(system)) * 10_000;
}

export interface Load {
	/** A body to post, in which each UNIQUE becomes a text of its own; undefined: GET. */
	lead?: string | undefined;
	headers?: Record<string, string>;
	/** True if the answers must have a status of 400 or above. */
	refused?: boolean;
}

export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** Returns a command that runs on one core, if the system can do that: servers have core 0, their clients core 1. */
export const onCore = (core: 0 | 1, command: string, args: string[]): [string, string[]] =>
	hasTaskset ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];

/** Moves this process, the client, off the servers' core. */
export function leaveServersCore(): void {
	if (hasTaskset) execFileSync('taskset', ['-a', '-pc', '1', String(process.pid)], { stdio: 'ignore' });
}

export async function rateOf(url: string, load?: Load): Promise<number> {
	const { requests, seconds } = await answered(url, load);
	return requests / seconds;
}

/** Returns how many requests were answered, in how many seconds. @throws {Error} some got no answer, or a wrong one, or there is no wrk */
async function answered(url: string, { lead, headers = {}, refused = false }: Load = {}) {
	const script = new URL('load.lua', import.meta.url).pathname;
	const sent = Object.entries({ 'accept-encoding': ACCEPT_ENCODING, ...headers }).flatMap((header) => ['-H', header.join(': ')]);
	const args = ['-t1', '-c50', `-d${SECONDS}s`, '--timeout', '10s', ...sent, '-s', script, url];
	const env = { ...process.env, ...(lead && { LEAD: lead, RUN: randomUUID() }) };
	const { stdout } = await promisify(execFile)(...onCore(1, 'wrk', args), { env });
	/** `errors` counts answers with a status of 400 or above. */
	const counted = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<'requests' | 'seconds' | 'errors' | 'lost', number>;
	const { requests, seconds, errors, lost } = counted;
	const unexpected = refused ? requests - errors : errors;
	if (requests === 0 || lost > 0 || unexpected > 0)
		throw new Error(`${url}: of ${requests} requests ${lost} were not answered, and ${unexpected} not as they should.`);
	return { requests, seconds };
}
