import { execFileSync } from 'node:child_process';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { type Contender, startOurs } from './contender.ts';
import { recordingsOf, startBare } from './http.ts';
import { rateOf } from './load.ts';
import type { Recording } from './recording.ts';

const BARE = 'bare node:http';
/** How often each path is asked for. */
const TURNS = 4;
const paths = ['/api/status', '/contact', '/openapi.json'];

/** Measures from the start of the process to its first 200, with the default store. */
export const start = (): Promise<Comparison[]> =>
	withBoth(async (ours, bare) => {
		const time = (open: () => Promise<Contender>) => async () => {
			await using contender = await open();
			return contender.started;
		};
		const values = await inTurns({ [BARE]: time(bare), [OURS]: time(ours) }, 9);
		return [{ what: 'start to first 200', unit: 'ms', yardstick: BARE, target: { most: 1.6 }, values }];
	});

/** Measures resident memory after rounds of requests for status and documents. */
export const memory = (): Promise<Comparison[]> =>
	withBoth(async (ours, bare) => {
		const grow = (open: () => Promise<Contender>) => async () => {
			await using contender = await open();
			for (let turn = 0; turn < TURNS; turn += 1) for (const path of paths) await rateOf(contender.url + path);
			return residentMemory(contender);
		};
		const values = await inTurns({ [BARE]: grow(bare), [OURS]: grow(ours) }, 3);
		return [{ what: 'memory after many requests', unit: 'MB', yardstick: BARE, target: { most: 1.5 }, values }];
	});

type Open = () => Promise<Contender>;

async function withBoth(measure: (ours: Open, bare: Open) => Promise<Comparison[]>): Promise<Comparison[]> {
	await using folder = await temporaryFolder();
	const ours = () => startOurs({ LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/' });
	const recordings: Recording[] = await ours().then(async (server) => {
		await using recorded = server;
		return await recordingsOf(recorded.url);
	});
	return await measure(ours, () => startBare(recordings));
}

/** Returns MB. */
export const residentMemory = ({ pid }: Contender) =>
	Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
