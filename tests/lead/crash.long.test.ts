import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LeadSenders } from '../support/lead-senders.ts';
import { endLeases } from '../support/leases.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How long to keep killing, and the seed of the random numbers: `npm run test:crash` takes longer. */
const SECONDS = Number(process.env['CRASH_SECONDS'] ?? (process.env['npm_lifecycle_event'] === 'test:crash' ? 300 : 8));
const SEED = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));
/** The leads of a round. Few: a test's mail server takes about eighty mails a second, and all must arrive in the end. */
const LEADS = 30;
const SENDERS = 10;

type Team = Awaited<ReturnType<typeof startSalesTeam>>;
const common = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const timeout = SECONDS * 1000 * 3 + 60_000;

test(`killed at any moment, again and again, it loses no lead (CRASH_SEED=${SEED})`, { timeout }, async () => {
	await using folder = await temporaryFolder();
	await using team = await startSalesTeam();
	const start = () => startServer({ ...common, ...team.settings, LEAD_STORE: `sqlite:${folder.path}/leads.db` });
	let server = start();
	const senders = new LeadSenders(async () => (await server).url);
	const random = randomFrom(SEED);

	const unanswered: Promise<void>[] = [];
	const end = Date.now() + SECONDS * 1000;
	let kills = 0;
	for (; Date.now() < end; kills += 1) {
		const moment = momentOf(random, senders, team);
		unanswered.push(senders.send(LEADS, SENDERS));
		await moment;
		server = killed(await server).then(start);
	}
	await using _ = await server;
	await Promise.all(unanswered);
	await expect.poll(() => team.missing(senders.accepted).length, { timeout, interval: 100 }).toBe(0);
	expectOnlyWhatWasSent(senders, team);
	report(`${kills} kills`, senders, team);
});

describe.skipIf(postgresMissing)('Two instances on one PostgreSQL', () => {
	test('one is killed under load, and the other delivers what it left behind', { timeout: 120_000 }, async () => {
		await using postgres = await startPostgres();
		await using team = await startSalesTeam();
		const database = await postgres.createDatabase();
		const start = () => startServer({ ...common, ...team.settings, LEAD_STORE: database });
		await using first = await start();
		await using second = await start();
		let next = 0;
		const balanced = new LeadSenders(async () => [first, second][next++ % 2]!.url);
		const halfway = momentOf(() => 0.5, balanced, team, 'sent');
		const load = balanced.send(5 * LEADS, SENDERS);
		await halfway;
		await killed(first);
		await load;
		expect(await endLeases(database)).toBeGreaterThan(0);
		await new LeadSenders(async () => second.url).send(1, 1);
		await expect.poll(() => team.missing(balanced.accepted).length, { timeout: 60_000, interval: 100 }).toBe(0);
		report('one instance killed', balanced, team);
	});
});

/** Resolves at the end of a round: at a random event of any kind. */
function momentOf(random: () => number, senders: LeadSenders, team: Team, only?: 'sent' | 'answered' | 'arrived'): Promise<void> {
	const kind = only ?? (['sent', 'answered', 'arrived'] as const)[Math.floor(random() * 3)]!;
	let left = 1 + Math.floor(random() * LEADS);
	const { promise, resolve } = Promise.withResolvers<void>();
	const count = (event: string) => {
		if (event === kind && --left === 0) resolve();
	};
	senders.onEvent = count;
	team.onArrival(() => count('arrived'));
	return promise;
}

async function killed(server: TestServer): Promise<void> {
	server.process.signal('SIGKILL');
	await server.process.exit();
}

/** Expects that all arrivals were sent, and each lead was saved once: its copies have the same id, by mail and by webhook. */
function expectOnlyWhatWasSent({ sent }: LeadSenders, { mails, webhooks }: Team): void {
	for (const lead of new Set([...mails.keys(), ...webhooks.keys()])) {
		expect(sent).toContain(lead);
		expect(new Set([...(mails.get(lead) ?? []), ...(webhooks.get(lead) ?? [])]).size).toBe(1);
	}
}

function report(what: string, { sent, accepted, statuses }: LeadSenders, { mails, webhooks }: Team): void {
	const copies = [...mails.values(), ...webhooks.values()].reduce((sum, ids) => sum + ids.length - 1, 0);
	const answers = [...statuses].map(([status, count]) => `${status || 'none'}: ${count}`).join(', ');
	console.log(
		`${what}: ${sent.size} leads sent, ${accepted.size} accepted (answers ${answers}), none lost, ${copies} second copies.`,
	);
}

/** Mulberry32: small, and deterministic for a seed. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
