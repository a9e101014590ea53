import autocannon from 'autocannon';
import { execFileSync } from 'node:child_process';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { type Contender, startOurs } from './contender.ts';
import { recordingsOf, startBare } from './http.ts';
import { ACCEPT_ENCODING, type Recording } from './recording.ts';

const BARE = 'bare node:http';
/** Ten minutes at a hundred a second. */
const REQUESTS = 60_000;

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

/** Measures resident memory after ten minutes' worth of requests for status and documents, and whether it still grows. */
export const memory = (): Promise<Comparison[]> =>
	withBoth(async (ours, bare) => {
		const halves: Record<string, number[]> = { [BARE]: [], [OURS]: [] };
		const grow = (name: string, open: () => Promise<Contender>) => async () => {
			await using contender = await open();
			await ask(contender.url, REQUESTS / 2);
			halves[name]!.push(residentMemory(contender));
			await ask(contender.url, REQUESTS / 2);
			return residentMemory(contender);
		};
		const values = await inTurns({ [BARE]: grow(BARE, bare), [OURS]: grow(OURS, ours) }, 3);
		const half = 'at half time';
		return [
			{
				what: `memory after ${REQUESTS.toLocaleString('en')} requests`,
				unit: 'MB',
				yardstick: BARE,
				target: { most: 1.5 },
				values,
			},
			{
				what: 'the same, growth in the second half',
				unit: 'MB',
				yardstick: half,
				target: { most: 1.1 },
				// The first round warms up.
				values: { [half]: halves[OURS]!.slice(1), [OURS]: values[OURS]! },
			},
		];
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

async function ask(url: string, amount: number): Promise<void> {
	const { non2xx, errors } = await autocannon({
		url,
		amount,
		connections: 50,
		headers: { 'accept-encoding': ACCEPT_ENCODING },
		requests: ['/api/status', '/contact', '/openapi.json'].map((path) => ({ method: 'GET' as const, path })),
	});
	if (non2xx + errors > 0) throw new Error(`${non2xx} requests were refused, and ${errors} not answered.`);
}

/** Returns MB. */
export const residentMemory = ({ pid }: Contender) =>
	Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
