import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { pragmas } from '../../src/lead/store/sqlite-connection.ts';
import { leadOf } from '../support/post-lead.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { startOurs } from './contender.ts';
import { rateOf, SECONDS } from './load.ts';
import { markdownTable, median } from './table.ts';

const ROUNDS = 7;
/** On the project's disk, as the real store: a temporary folder may be in memory. */
const FOLDER = 'var/bench';

/** In milliseconds: the delay of the receiver's answers. */
const receivers = { 'delivered to a receiver that takes five seconds': 5000, 'delivered as fast as they can be': 0 };

/**
 * Compares the leads a second that the production server makes durable for 50 senders at once with plain inserts into SQLite, with
 * the same settings and one commit each. An insert delivers nothing, so the server with the slow receiver counts; the other shows
 * the cost of deliveries at full speed. The rounds take turns, so that a slow minute hits all.
 */
export async function durableLeads(): Promise<string> {
	mkdirSync(FOLDER, { recursive: true });
	const folder = mkdtempSync(join(FOLDER, 'leads-'));
	const plain: number[] = [];
	const ours = Object.values(receivers).map((): number[] => []);
	{
		using inserts = openPlain(join(folder, 'plain.db'));
		await using running = new AsyncDisposableStack();
		const servers: Awaited<ReturnType<typeof openServer>>[] = [];
		for (const [index, delay] of Object.values(receivers).entries())
			servers.push(running.use(await openServer(join(folder, `leads-${index}.db`), delay)));
		// The first round of each warms up.
		for (let round = 0; round <= ROUNDS; round += 1) {
			plain.push(inserts.rate());
			for (const [index, server] of servers.entries()) ours[index]!.push(await server.rate());
		}
	}
	rmSync(folder, { recursive: true });
	for (const rounds of [plain, ...ours]) rounds.shift();
	const ratios = ours.map((rates) => median(rates.map((rate, round) => rate / plain[round]!)).toFixed(2));
	return [
		markdownTable([
			['durable leads', 'lowest', 'highest', 'per second', 'ratio'],
			row('node:sqlite, one commit each', plain, '1.00'),
			...Object.keys(receivers).map((receiver, index) => row(`ours, 50 senders, ${receiver}`, ours[index]!, ratios[index]!)),
		]),
		`Ratio ${ratios[0]} (target: at least 1). Medians of ${ROUNDS} rounds of ${SECONDS} s each.`,
	].join('\n');
}

const row = (name: string, rates: number[], ratio: string) => [
	name,
	...[Math.min(...rates), Math.max(...rates), median(rates)].map((rate) => rate.toFixed(0)),
	ratio,
];

const newLead = () => JSON.stringify(leadOf({ message: randomUUID() }));

function openPlain(path: string) {
	const database = new DatabaseSync(path);
	database.exec(`${pragmas} CREATE TABLE leads (id TEXT PRIMARY KEY, payload TEXT NOT NULL)`);
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

/** Starts a server that stops between its rounds, so that its open deliveries take no time from the others. */
async function openServer(path: string, delay: number) {
	const receiver = await startWebhookReceiver(() => ({ until: wait(delay, undefined, { ref: false }) }));
	const server = await startOurs({ LEAD_STORE: `sqlite:${path}`, LEAD_WEBHOOK_URL: receiver.url });
	const database = new DatabaseSync(path, { readOnly: true });
	const leads = () => Number(database.prepare('SELECT count(*) AS leads FROM lead_entries').get()!['leads']);
	server.pause();
	return {
		/** Counts the leads in the database, not the answers. */
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
