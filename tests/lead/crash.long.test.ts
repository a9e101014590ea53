import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ReceivedLead } from '../../src/lead/message/message.ts';
import { openStore } from '../../src/lead/store/index.ts';
import { LeadSenders } from '../support/lead-senders.ts';
import { randomFrom } from '../support/random.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** How long to keep killing, and the seed of the random numbers: `npm run test:crash` takes longer. */
const SECONDS = Number(process.env['CRASH_SECONDS'] ?? (process.env['npm_lifecycle_event'] === 'test:crash' ? 300 : 8));
const SEED = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));
/** The leads of a round. Few: a test's mail server takes about eighty mails a second, and all must arrive in the end. */
const LEADS = 30;
const SENDERS = 10;

const common = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const timeout = SECONDS * 1000 * 3 + 60_000;

test(`killed at any moment, again and again, it loses no lead (CRASH_SEED=${SEED})`, { timeout }, async () => {
	await using folder = await temporaryFolder();
	await using team = await startSalesTeam();
	const start = () => startServer({ ...common, ...team.settings, LEAD_STORE: `sqlite:${folder.path}/leads.db` });
	let server = start();
	const senders = new LeadSenders(
		async () => (await server).url,
		(lead) => (isSpam(lead) ? spam : {}),
	);
	const random = randomFrom(SEED);

	const unanswered: Promise<void>[] = [];
	const end = Date.now() + SECONDS * 1000;
	let kills = 0;
	for (; Date.now() < end; kills += 1) {
		const moment = momentOf(random, senders, team);
		unanswered.push(senders.send(LEADS, SENDERS));
		await moment;
		const { process } = await server;
		process.signal('SIGKILL');
		server = process.exit().then(start);
	}
	await using _ = await server;
	await Promise.all(unanswered);
	const [held, wanted] = [true, false].map((spam) => [...senders.accepted].filter((lead) => isSpam(lead) === spam));
	await expect.poll(() => team.missing(wanted!).length, { timeout, interval: 100 }).toBe(0);
	expect(team.missing(held!)).toEqual(held);
	await using store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	const inQuarantine = async () => {
		const entries = await store.list({ state: 'quarantined', limit: 99_999 });
		return new Set(entries.map(({ payload }) => (JSON.parse(payload) as ReceivedLead).lead.message));
	};
	await expect.poll(async () => held!.filter(Set.prototype.has, await inQuarantine()).length, { timeout }).toBe(held!.length);

	// All arrivals were sent, and each lead was saved once: its copies have the same id, by mail and by webhook.
	const { sent, accepted, statuses } = senders;
	const { mails, webhooks } = team;
	for (const lead of new Set([...mails.keys(), ...webhooks.keys()])) {
		expect(sent).toContain(lead);
		expect(new Set([...(mails.get(lead) ?? []), ...(webhooks.get(lead) ?? [])]).size).toBe(1);
	}
	const copies = [...mails.values(), ...webhooks.values()].reduce((sum, ids) => sum + ids.length - 1, 0);
	const answers = [...statuses].map(([status, count]) => `${status || 'none'}: ${count}`).join(', ');
	console.log(
		`${kills} kills: ${sent.size} leads sent, ${accepted.size} accepted (answers ${answers}), ${held!.length} of them held, none lost, ${copies} second copies.`,
	);
});

/** One lead in sixteen is held. */
const isSpam = (lead: string) => lead.endsWith('0');
const spam = { name: 'https://win.example/now XkQzBvTrPlWs', clinic: 'hGtRnMwQpLzXc' };

/** Resolves at the end of a round: at a random event of any kind. */
function momentOf(random: () => number, senders: LeadSenders, team: Awaited<ReturnType<typeof startSalesTeam>>): Promise<void> {
	const kind = (['sent', 'answered', 'arrived'] as const)[Math.floor(random() * 3)]!;
	let left = 1 + Math.floor(random() * LEADS);
	const { promise, resolve } = Promise.withResolvers<void>();
	const count = (event: string) => {
		if (event === kind && --left === 0) resolve();
	};
	senders.onEvent = count;
	team.onArrival(() => count('arrived'));
	return promise;
}
