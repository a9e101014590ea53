import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

export interface Load {
	/** A body to post, in which each UNIQUE becomes a text of its own; undefined: GET. */
	lead?: string | undefined;
	headers?: Record<string, string>;
	/** True if the answers must have a status of 400 or above. */
	refused?: boolean;
}

const CONNECTIONS = 50;
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
/** A browser's header. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

const hasTaskset = spawnSync('taskset', ['--version']).status === 0;

/** Returns a command that runs on one core, if the system can do that: servers have core 0, their clients core 1. */
export const onCore = (core: 0 | 1, command: string, args: string[]): [string, string[]] =>
	hasTaskset ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];

/** Moves this process, the client, off the servers' core. */
export function leaveServersCore(): void {
	if (hasTaskset) execFileSync('taskset', ['-a', '-pc', '1', String(process.pid)], { stdio: 'ignore' });
}

/** Returns the answered requests a second. */
export async function rateOf(url: string, load?: Load): Promise<number> {
	const { requests, seconds } = await answered(url, load);
	return requests / seconds;
}

/** Returns how many requests were answered, in how many seconds. @throws {Error} some got no answer, or a wrong one, or there is no wrk */
export async function answered(url: string, { lead, headers = {}, refused = false }: Load = {}) {
	const script = new URL('load.lua', import.meta.url).pathname;
	const sent = Object.entries({ 'accept-encoding': ACCEPT_ENCODING, ...headers }).flatMap((header) => ['-H', header.join(': ')]);
	const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--timeout', '10s', ...sent, '-s', script, url];
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
