import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { V7Generator } from 'uuidv7';
import { openStore } from '../../src/lead/store/index.ts';
import { leadOf } from '../support/post-lead.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { type Contender, startOurs } from './contender.ts';
import { startInstantReceiver } from './http.ts';
import { onCore, rateOf } from './load.ts';

/** On the project's disk, as the real store: a temporary folder may be in memory. */
const FOLDER = 'var/bench';
const SMALL = 'a thousand leads';
const LARGE = 1_000_000;
/** Leads of the large store that wait for another try, and parked ones. */
const WAITING = 50_000;
const PARKED = 1_000;
const MONTH = 30 * 24 * 3600_000;

/** Compares the costs of a store of a million leads with those of a store of a thousand. */
export async function storeSize(): Promise<Comparison[]> {
	mkdirSync(FOLDER, { recursive: true });
	const folder = mkdtempSync(join(FOLDER, 'size-'));
	await using receiver = await startInstantReceiver();
	const [small, large] = [join(folder, 'small.db'), join(folder, 'large.db')];
	const env = (file: string) => ({ LEAD_STORE: `sqlite:${file}`, LEAD_WEBHOOK_URL: receiver.url });
	await fill(small, 1000, receiver.channel);
	await fill(large, LARGE, receiver.channel);

	const inBoth = (measure: (file: string) => Promise<number>, rounds?: number) =>
		inTurns({ [SMALL]: () => measure(small), [OURS]: () => measure(large) }, rounds);
	const comparisons: Comparison[] = [];
	const labels = { [OURS]: `**${LARGE.toLocaleString('en')} leads**` };
	const compare = async (what: string, unit: Comparison['unit'], target: Comparison['target'], values: Comparison['values']) => {
		comparisons.push({ what, unit, yardstick: SMALL, target, values, labels });
	};

	const times = { most: 1.5 };
	await compare('start to first 200', 'ms', times, await inBoth((file) => withServer(env(file), async ({ started }) => started)));
	await compare('leads list', 'ms', times, await inBoth((file) => timeOfList(env(file))));
	const requests = {
		'GET /api/status': [`/api/status`, {}],
		'POST a lead': ['/api/contact', { lead: JSON.stringify(leadOf({ message: 'UNIQUE' })) }],
		'POST a hit': ['/api/contact', { lead: JSON.stringify(leadOf({ message: 'UNIQUE', website: 'x' })) }],
	} as const;
	for (const [what, [path, load]] of Object.entries(requests))
		await compare(
			what,
			'/s',
			{ least: 1 / times.most },
			await inBoth((file) => withServer(env(file), ({ url }) => rateOf(url + path, load))),
		);
	const memory = (file: string) =>
		withServer(env(file), async (server) => {
			for (const [path, load] of Object.values(requests)) await rateOf(server.url + path, load);
			return residentMemory(server);
		});
	await compare('memory after all of these', 'MB', { most: 1.2 }, await inBoth(memory, 3));
	rmSync(folder, { recursive: true });
	return comparisons;
}

async function withServer(env: Record<string, string>, measure: (server: Contender) => Promise<number>): Promise<number> {
	await using server = await startOurs(env);
	return await measure(server);
}

/** Returns MB. */
const residentMemory = ({ pid }: Contender) =>
	Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

async function timeOfList(env: Record<string, string>): Promise<number> {
	const start = performance.now();
	const command = spawn(...onCore(0, process.execPath, ['var/test/dist/server/leads.mjs', 'list']), {
		env: { PATH: process.env['PATH'], ...env },
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	const [code] = (await once(command, 'exit')) as [number];
	if (code !== 0) throw new Error(`leads list ended with ${code}.`);
	return performance.now() - start;
}

/** Fills a store with leads of the last month, most of them delivered. */
async function fill(file: string, leads: number, channel: string): Promise<void> {
	{
		await using store = await openStore({ kind: 'sqlite', path: file });
		const age = (turn: number) => ((leads - turn) / leads) * 0.9 * MONTH;
		for (let turn = 0; turn < leads; turn += 1000)
			await Promise.all(
				Array.from({ length: Math.min(1000, leads - turn) }, (_, index) => {
					const receivedAt = Math.floor(Date.now() - age(turn + index));
					const id = new V7Generator().generateOrResetWithTs(receivedAt).toString();
					const lead = leadOf({ email: `${turn + index}@clinicasol.example` });
					const received = { id, receivedAt: new Date(receivedAt).toISOString(), noticeVersion: '2026-01-01', lead };
					return store.insert({
						id,
						kind: 'lead',
						receivedAt: Math.round(receivedAt),
						email: lead.email,
						source: '/contact',
						payload: JSON.stringify(received),
						channels: [channel],
						once: undefined,
					});
				}),
			);
	}
	using database = new DatabaseSync(file);
	const part = (of: number) => Math.ceil((of * leads) / LARGE);
	database.exec(`
		PRAGMA synchronous = OFF;
		UPDATE lead_deliveries SET since = ${Date.now()}, due_at = ${Date.now() + MONTH}, tries = 3, last_error = 'HTTP 500';
		UPDATE lead_deliveries SET state = 'parked', due_at = NULL
			WHERE entry_id IN (SELECT id FROM lead_entries ORDER BY received_at LIMIT ${part(PARKED)});
		UPDATE lead_deliveries SET state = 'sent', due_at = NULL, since = NULL, sent_at = ${Date.now()}, tries = 1, last_error = NULL
			WHERE entry_id IN (SELECT id FROM lead_entries ORDER BY received_at LIMIT -1 OFFSET ${part(PARKED) + part(WAITING)});
		UPDATE lead_entries SET state =
			(SELECT CASE state WHEN 'sent' THEN 'delivered' ELSE state END FROM lead_deliveries WHERE entry_id = id);
		PRAGMA wal_checkpoint(TRUNCATE);
	`);
}
