import autocannon from 'autocannon';
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { ACCEPT_ENCODING } from './recording.ts';

export interface Load {
	/** A body to post, in which each UNIQUE becomes a text of its own; undefined: GET. */
	lead?: string | undefined;
	/** An API key to send it with. */
	key?: string | undefined;
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
const hasWrk = has('wrk');
const hasTaskset = has('taskset');

/** The load generator. autocannon is slower than most servers that it measures, so it makes differences look smaller. */
export const generator = hasWrk ? 'wrk' : 'autocannon (install wrk for ratios that mean something)';

/** Returns a command that runs on one core, if the system can do that: servers have core 0, their clients core 1. */
export const onCore = (core: 0 | 1, command: string, args: string[]): [string, string[]] =>
	hasTaskset ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];

/** Returns a command that runs on both cores, though this process may not. */
export const onAllCores = (command: string, args: string[]): [string, string[]] =>
	hasTaskset ? ['taskset', ['-c', '0-1', command, ...args]] : [command, args];

/** Moves this process, the client, off the servers' core. */
export const leaveServersCore = (): void => moveTo(1, String(process.pid));

/** Moves the process of another program to the servers' core. */
export const toServersCore = (pid: string): void => moveTo(0, pid);

function moveTo(core: 0 | 1, pid: string): void {
	if (hasTaskset) execFileSync('taskset', ['-a', '-pc', String(core), pid], { stdio: 'ignore' });
}

/**
 * Returns the answered requests a second.
 *
 * @throws {Error} some requests got no answer, or a wrong one
 */
export async function rateOf(url: string, load: Load = {}): Promise<number> {
	const { requests, seconds, refused, lost } = hasWrk ? await wrk(url, load) : await cannon(url, load);
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

async function wrk(url: string, { lead, key }: Load): Promise<Counted> {
	const script = new URL('load.lua', import.meta.url).pathname;
	const header = `accept-encoding: ${ACCEPT_ENCODING}`;
	const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--timeout', '10s', '-H', header, '-s', script, url];
	const env = { ...process.env, ...(lead && { LEAD: lead, RUN: randomUUID() }), ...(key && { KEY: key }) };
	const { stdout } = await promisify(execFile)(...onCore(1, 'wrk', args), { env });
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as Counted;
}

async function cannon(url: string, { lead, key }: Load): Promise<Counted> {
	const unique = () => lead?.replaceAll('UNIQUE', randomUUID());
	const { requests, duration, non2xx, errors } = await autocannon({
		url,
		connections: CONNECTIONS,
		duration: SECONDS,
		headers: {
			'accept-encoding': ACCEPT_ENCODING,
			...(lead && { 'content-type': 'application/json' }),
			...(key && { authorization: `Bearer ${key}` }),
		},
		requests: [lead ? { method: 'POST', setupRequest: (request) => ({ ...request, body: unique()! }) } : { method: 'GET' }],
	});
	return { requests: requests.total, seconds: duration, refused: non2xx, lost: errors };
}
