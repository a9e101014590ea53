import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { hit, lead, postBody } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { startOurs } from './contender.ts';
import { startInstantReceiver } from './http.ts';
import { median } from './table.ts';

const LEAD = 'a lead';

/** Measures how long a robot waits for its answer: if a honeypot hit were faster than a lead, it would notice. */
export async function hitTime(): Promise<Comparison[]> {
	const folder = mkdtempSync('var/bench/hit-');
	const comparisons = [await compareAt('SQLite', `sqlite:${path.join(folder, 'leads.db')}`)];
	rmSync(folder, { recursive: true });
	if (postgresMissing) return comparisons;
	await using postgres = await startPostgres();
	return [...comparisons, await compareAt('PostgreSQL', await postgres.createDatabase())];
}

async function compareAt(store: string, LEAD_STORE: string): Promise<Comparison> {
	await using receiver = await startInstantReceiver();
	await using server = await startOurs({ LEAD_STORE, LEAD_WEBHOOK_URL: receiver.url });
	let sent = 0;
	/** Returns the median time in milliseconds. The answers come one by one, as a robot would compare them. */
	const timeOf = (body: object) => async () => {
		const times: number[] = [];
		for (let turn = 0; turn < 40; turn += 1) {
			const start = performance.now();
			await postBody(server.url, { ...body, name: `Visitor ${(sent += 1)}` });
			times.push(performance.now() - start);
		}
		return median(times);
	};
	const values = await inTurns({ [LEAD]: timeOf(lead), [OURS]: timeOf(hit) });
	return { what: `answer to a hit, ${store}`, unit: 'ms', yardstick: LEAD, target: { least: 0.6 }, values };
}
