import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { leadOf } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { median, table } from './table.ts';

const ROUNDS = 7;
const SECONDS = 2;
const SENDERS = 50;
/** On the disk of the project, as the real one: a temporary folder may lie in memory. */
const FOLDER = 'var/bench';

/**
 * Leads a second that the production server makes durable for 50 senders at once, deliveries to a webhook going on beside, against
 * plain inserts into SQLite with the same settings, one commit each. The rounds take turns, so that a slow minute hits both.
 */
export async function durableLeads(): Promise<string> {
	mkdirSync(FOLDER, { recursive: true });
	const folder = mkdtempSync(join(FOLDER, 'leads-'));
	const [plain, ours, slowest]: [number[], number[], number[]] = [[], [], []];
	for (let round = 0; round < ROUNDS; round += 1) {
		plain.push(insertsPerSecond(join(folder, `plain-${round}.db`)));
		const { rate, p99 } = await leadsPerSecond(join(folder, `leads-${round}.db`));
		ours.push(rate);
		slowest.push(p99);
	}
	rmSync(folder, { recursive: true });
	const ratios = ours.map((rate, round) => rate / plain[round]!);
	const row = (name: string, rates: number[]) => [
		name,
		Math.round(median(rates)),
		Math.round(Math.min(...rates)),
		Math.round(Math.max(...rates)),
	];
	return [
		table([
			['durable leads', 'per second', 'lowest', 'highest'],
			row('node:sqlite, one commit each', plain),
			row(`POST /api/contact, ${SENDERS} senders`, ours),
		]),
		`Ratio ${median(ratios).toFixed(2)} (target: at least 1; by round ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}).`,
		`Medians of ${ROUNDS} rounds of ${SECONDS} s each; 99 of 100 answers within ${median(slowest)} ms.`,
	].join('\n');
}

const newLead = () => JSON.stringify(leadOf({ message: randomUUID() }));

function insertsPerSecond(path: string): number {
	using database = new DatabaseSync(path);
	database.exec(
		'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE leads (id TEXT PRIMARY KEY, payload TEXT NOT NULL)',
	);
	const insert = database.prepare('INSERT INTO leads VALUES (?, ?)');
	const end = performance.now() + SECONDS * 1000;
	let inserts = 0;
	for (; performance.now() < end; inserts += 1) insert.run(randomUUID(), newLead());
	return inserts / SECONDS;
}

/** Counts what is in the database in the end, and not what was answered. */
async function leadsPerSecond(path: string): Promise<{ rate: number; p99: number }> {
	await using receiver = await startWebhookReceiver();
	await using server = await startServer({
		LEAD_STORE: `sqlite:${path}`,
		LEAD_WEBHOOK_URL: receiver.url,
		LEAD_RATE_LIMIT: 'off',
	});
	const { duration, latency, non2xx, errors } = await autocannon({
		url: `${server.url}/api/contact`,
		connections: SENDERS,
		duration: SECONDS,
		requests: [
			{
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				setupRequest: (request) => ({ ...request, body: newLead() }),
			},
		],
	});
	if (non2xx + errors > 0) throw new Error(`${non2xx} leads were refused, and ${errors} not answered.`);
	await server[Symbol.asyncDispose]();
	using database = new DatabaseSync(path);
	const { leads } = database.prepare('SELECT count(*) AS leads FROM lead_entries').get() as { leads: number };
	return { rate: leads / duration, p99: latency.p99 };
}
