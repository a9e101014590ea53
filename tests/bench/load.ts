import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { ACCEPT_ENCODING } from './recording.ts';

export interface Load {
	/** A body to post, in which each UNIQUE becomes a text of its own; undefined: GET. */
	lead?: string | undefined;
	/** True if the answers must have a status of 400 or above. */
	refused?: boolean;
}

const CONNECTIONS = 50;
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);

const has = (program: string) => {
	try {
		return Boolean(execFileSync('which', [program], { encoding: 'utf8' }));
	} catch {
		return false;
	}
};
const hasTaskset = has('taskset');

/** Returns a command that runs on one core, if the system can do that: servers have core 0, their clients core 1. */
export const onCore = (core: 0 | 1, command: string, args: string[]): [string, string[]] =>
	hasTaskset ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];

/** Moves this process, the client, off the servers' core. */
export function leaveServersCore(): void {
	if (hasTaskset) execFileSync('taskset', ['-a', '-pc', '1', String(process.pid)], { stdio: 'ignore' });
}

/**
 * Returns the answered requests a second.
 *
 * @throws {Error} some requests got no answer, or a wrong one, or there is no wrk to send them
 */
export async function rateOf(url: string, load: Load = {}): Promise<number> {
	if (!has('wrk')) throw new Error('This benchmark needs wrk: install Debian’s wrk.');
	const script = new URL('load.lua', import.meta.url).pathname;
	const header = `accept-encoding: ${ACCEPT_ENCODING}`;
	const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--timeout', '10s', '-H', header, '-s', script, url];
	const env = { ...process.env, ...(load.lead && { LEAD: load.lead, RUN: randomUUID() }) };
	const { stdout } = await promisify(execFile)(...onCore(1, 'wrk', args), { env });
	const { requests, seconds, refused, lost } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Counted;
	const unexpected = load.refused ? requests - refused : refused;
	if (requests === 0 || lost > 0 || unexpected > 0)
		throw new Error(`${url}: of ${requests} requests ${lost} were not answered, and ${unexpected} not as they should.`);
	return requests / seconds;
}

interface Counted {
	requests: number;
	seconds: number;
	/** Answered with a status of 400 or above. */
	refused: number;
	lost: number;
}
