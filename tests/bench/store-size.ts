import { execFile, execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { V7Generator } from 'uuidv7';
import { openStore } from '../../src/store/store.ts';
import { leadOf } from '../support/post-lead.ts';
import { type Comparison, inTurns } from './comparison.ts';
import { type Contender, onCore, rateOf, startOurs } from './contender.ts';
import { benchFolder, startInstantReceiver, withServer } from './http.ts';

const LARGE = 1_000_000;
/** Leads of the large store that wait for another try. */
const WAITING = 50_000;
const MONTH = 30 * 24 * 3600_000;

/** Compares the costs of a store of a million leads with those of a store of a thousand. */
export async function storeSize(): Promise<Comparison[]> {
	await using folder = await benchFolder();
	await using receiver = await startInstantReceiver();
	const env = (name: string) => ({ LEAD_STORE: `sqlite:${folder.path}/${name}.db`, LEAD_WEBHOOK_URL: receiver.url });
	for (const [name, leads] of Object.entries({ small: 1000, large: LARGE }))
		await fill(`${folder.path}/${name}.db`, leads, receiver.channel);

	const comparisons: Comparison[] = [];
	type Measure = (env: Record<string, string>) => Promise<number>;
	const compare = async (what: string, unit: Comparison['unit'], target: number, measure: Measure) => {
		const values = await inTurns({
			'a thousand leads': () => measure(env('small')),
			'a million leads': () => measure(env('large')),
		});
		comparisons.push({ what, unit, target, values });
	};
	const requests: [what: string, path: string, lead?: string][] = [
		['GET /api/status', '/api/status'],
		['POST a lead', '/api/contact', JSON.stringify(leadOf({ message: 'UNIQUE' }))],
		['POST a hit', '/api/contact', JSON.stringify(leadOf({ message: 'UNIQUE', website: 'x' }))],
	];
	const inServer = (measure: (server: Contender) => Promise<number>) => (env: Record<string, string>) =>
		withServer(() => startOurs(env), measure);
	const started = inServer(async ({ started }) => started);
	await compare('start to first 200', 'ms', 1.5, started);
	await compare('leads list', 'ms', 1.5, timeOfList);
	for (const [what, path, lead] of requests) {
		const rate = inServer(({ url }) => rateOf(url + path, { lead }));
		await compare(what, '/s', 1 / 1.5, rate);
	}
	const memory = inServer(async ({ url, pid }) => {
		for (const [, path, lead] of requests) await rateOf(url + path, { lead });
		return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
	});
	await compare('memory after all of these', 'MB', 1.2, memory);
	return comparisons;
}

async function timeOfList(env: Record<string, string>): Promise<number> {
	const start = performance.now();
	const [command, args] = onCore(0, process.execPath, ['var/test/dist/server/leads.mjs', 'list']);
	await promisify(execFile)(command, args, { env: { PATH: process.env['PATH'], ...env } });
	return performance.now() - start;
}

/** Fills a store with leads of the last month, most of them delivered. */
async function fill(file: string, leads: number, channel: string): Promise<void> {
	{
		await using store = await openStore({ kind: 'sqlite', path: file });
		const insert = (turn: number) => {
			const receivedAt = Math.round(Date.now() - ((leads - turn) / leads) * 0.9 * MONTH);
			const id = new V7Generator().generateOrResetWithTs(receivedAt).toString();
			const lead = leadOf({ email: `${turn}@clinicasol.example` });
			const received = { id, receivedAt: new Date(receivedAt).toISOString(), noticeVersion: '2026-01-01', lead };
			const about = { id, kind: 'lead', receivedAt, email: lead.email, source: '/contact' } as const;
			return store.insert({ ...about, payload: JSON.stringify(received), channels: [channel], once: undefined });
		};
		for (let turn = 0; turn < leads; turn += 1000)
			await Promise.all(Array.from({ length: 1000 }, (_, index) => insert(turn + index)));
	}
	using database = new DatabaseSync(file);
	const waiting = (WAITING * leads) / LARGE;
	database.exec(`
		PRAGMA synchronous = OFF;
		UPDATE lead_deliveries SET since = ${Date.now()}, due_at = ${Date.now() + MONTH}, tries = 3, last_error = 'HTTP 500';
		UPDATE lead_deliveries SET state = 'sent', due_at = NULL, since = NULL, sent_at = ${Date.now()}, tries = 1, last_error = NULL
			WHERE entry_id IN (SELECT id FROM lead_entries ORDER BY received_at LIMIT -1 OFFSET ${waiting});
		UPDATE lead_entries SET state =
			(SELECT CASE state WHEN 'sent' THEN 'delivered' ELSE state END FROM lead_deliveries WHERE entry_id = id);
		PRAGMA wal_checkpoint(TRUNCATE);
	`);
}
