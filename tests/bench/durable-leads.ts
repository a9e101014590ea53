import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { leadOf } from '../support/post-lead.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { startOurs } from './contender.ts';
import { rateOf, SECONDS } from './load.ts';
import { median, table } from './table.ts';

const ROUNDS = 7;
/** On the disk of the project, as the real one: a temporary folder may lie in memory. */
const FOLDER = 'var/bench';

/**
 * Leads a second that the production server makes durable for 50 senders at once, deliveries to a webhook going on beside, against
 * plain inserts into SQLite with the same settings, one commit each. The rounds take turns, so that a slow minute hits both.
 */
export async function durableLeads(): Promise<string> {
	mkdirSync(FOLDER, { recursive: true });
	const folder = mkdtempSync(join(FOLDER, 'leads-'));
	const [plain, ours]: [number[], number[]] = [[], []];
	{
		using inserts = openPlain(join(folder, 'plain.db'));
		await using server = await openServer(join(folder, 'leads.db'));
		// The first of each is to warm up.
		for (let round = 0; round <= ROUNDS; round += 1) {
			plain.push(inserts.rate());
			ours.push(await server.rate());
		}
	}
	rmSync(folder, { recursive: true });
	for (const rounds of [plain, ours]) rounds.shift();
	const ratios = ours.map((rate, round) => rate / plain[round]!);
	return [
		table([
			['durable leads', 'per second', 'lowest', 'highest'],
			row('node:sqlite, one commit each', plain),
			row('POST /api/contact, 50 senders', ours),
		]),
		`Ratio ${median(ratios).toFixed(2)} (target: at least 1; by round ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}).`,
		`Medians of ${ROUNDS} rounds of ${SECONDS} s each.`,
	].join('\n');
}

const row = (name: string, rates: number[]) => [name, ...[median(rates), Math.min(...rates), Math.max(...rates)].map(Math.round)];

const newLead = () => JSON.stringify(leadOf({ message: randomUUID() }));

function openPlain(path: string) {
	const database = new DatabaseSync(path);
	database.exec(
		'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE leads (id TEXT PRIMARY KEY, payload TEXT NOT NULL)',
	);
	const insert = database.prepare('INSERT INTO leads VALUES (?, ?)');
	return {
		rate(): number {
			const end = performance.now() + SECONDS * 1000;
			let inserts = 0;
			for (; performance.now() < end; inserts += 1) insert.run(randomUUID(), newLead());
			return inserts / SECONDS;
		},
		[Symbol.dispose]: () => database.close(),
	};
}

/** It stands still between its rounds, so that what it still has to deliver takes nothing from the others. */
async function openServer(path: string) {
	const receiver = await startWebhookReceiver();
	const server = await startOurs({ LEAD_STORE: `sqlite:${path}`, LEAD_WEBHOOK_URL: receiver.url });
	const database = new DatabaseSync(path, { readOnly: true });
	const leads = () => Number(database.prepare('SELECT count(*) AS leads FROM lead_entries').get()!['leads']);
	server.pause();
	return {
		/** Counts what is in the database, and not what was answered. */
		async rate() {
			const before = leads();
			server.resume();
			const start = performance.now();
			await rateOf(`${server.url}/api/contact`, { lead: JSON.stringify(leadOf({ message: 'UNIQUE' })) });
			server.pause();
			return ((leads() - before) / (performance.now() - start)) * 1000;
		},
		async [Symbol.asyncDispose]() {
			database.close();
			await server[Symbol.asyncDispose]();
			await receiver.close();
		},
	};
}
