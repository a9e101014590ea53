import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { type Contender, startOurs } from './contender.ts';
import { recordingsOf, startBare } from './http.ts';
import type { Recording } from './recording.ts';

const BARE = 'bare node:http';

/** Measures from the start of the process to its first 200, with the default store. */
export async function start(): Promise<Comparison[]> {
	await using folder = await temporaryFolder();
	const ours = () => startOurs({ LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/' });
	let recordings: Recording[];
	{
		await using recorded = await ours();
		recordings = await recordingsOf(recorded.url);
	}
	const timeOf = (open: () => Promise<Contender>) => async () => {
		await using contender = await open();
		return contender.started;
	};
	const values = await inTurns({ [BARE]: timeOf(() => startBare(recordings)), [OURS]: timeOf(ours) }, 9);
	return [{ what: 'start to first 200', unit: 'ms', yardstick: BARE, target: { most: 1.6 }, values }];
}
