import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'vitest';
import type { ReceivedLead } from '../../src/channels/message.ts';
import { openStore, type StorePlace } from '../../src/store/store.ts';
import { leadSenders, type LeadSenders } from '../support/lead-senders.ts';
import { spam } from '../support/post-lead.ts';
import { endLeases, postgresMissing, startPostgres } from '../support/postgres.ts';
import { randomFrom, seed } from '../support/fast-check.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The rounds for each kind of store, each with an end of the server: more where the seed was drawn, to look for new faults. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? (process.env['TEST_SEED'] ? 200 : 25));
/** The rounds with one store: what is lost shows at their end, and memory and disk stay small however many there are. */
const BATCH = 25;
const batches = Array.from({ length: Math.ceil(ROUNDS / BATCH) }, (_, index) => ({
	seed: seed + index,
	rounds: Math.min(BATCH, ROUNDS - index * BATCH),
}));
/** The leads of a round. Few: a test's mail server takes about eighty mails a second, and all must arrive in the end. */
const [LEADS, SENDERS] = [15, 10];
const DISK = 64;
/** How far the clock may be off. By more, a lead that comes again may count as a new one. */
const CLOCK_RANGE_MS = 20_000;

const common = { LEAD_RATE_LIMIT: 'off', LEAD_RETRY: Array.from({ length: 60 }, () => '1s').join(' ') };
const timeout = 300_000;

/** One lead in sixteen is held. */
const isSpam = (lead: string) => lead.endsWith('0');
const fieldsOf = (lead: string) => (isSpam(lead) ? spam : {});

/** Something that goes wrong in a round, beside the end of the server. It returns the function that ends it. */
type Fault = () => () => unknown;

async function onDisk(stack: AsyncDisposableStack) {
	const disk = stack.use(mountSmallDisk(DISK));
	if (!disk) console.warn('The disk does not fill up in this test, because this user may not mount one.');
	const folder = disk ?? stack.use(await temporaryFolder());
	const file = path.join(folder.path, 'leads.db');
	const lock: Fault = () => {
		// The server may be writing.
		const other = new DatabaseSync(file, { timeout: 10_000 });
		other.exec('BEGIN IMMEDIATE');
		return () => other.close();
	};
	const place: StorePlace = { kind: 'sqlite', path: file };
	return { place, setting: `sqlite:${file}`, faults: disk ? [lock, () => disk.fill()] : [lock], endLeases: async () => {} };
}

async function inPostgres(stack: AsyncDisposableStack) {
	const { createDatabase, control } = stack.use(await startPostgres());
	const url = await createDatabase();
	const down: Fault = () => {
		const stopped = control!.stop();
		return () => stopped.then(() => control!.start());
	};
	const place: StorePlace = { kind: 'postgres', url };
	return { place, setting: url, faults: control ? [down] : [], endLeases: () => endLeases(url) };
}

// They run at the same time, because each waits more than it works.
describe.concurrent.each([
	['a file', undefined, onDisk],
	['PostgreSQL', postgresMissing, inPostgres],
])('with %s', (_, missing, startPlace) => {
	test.skipIf(missing).for(batches)(
		'killed at any moment, among other faults, it loses no lead (TEST_SEED=$seed CRASH_ROUNDS=$rounds)',
		async ({ seed, rounds }, { expect }) => {
			const random = randomFrom(seed);
			await using stack = new AsyncDisposableStack();
			const home = await startPlace(stack);
			let [isMailDown, clockShift] = [false, 0];
			const team = stack.use(await startSalesTeam({ judge: () => (isMailDown ? 451 : undefined) }));
			const start = () => {
				const env = { ...common, ...team.settings, LEAD_STORE: home.setting, CLOCK_SHIFT: String(clockShift) };
				return startServer(env, ['--import', './tests/support/shifted-clock.ts']);
			};
			const mail: Fault = () => {
				isMailDown = true;
				return () => (isMailDown = false);
			};
			const clock: Fault = () => {
				clockShift = Math.round((random() - 0.5) * 2 * CLOCK_RANGE_MS);
				return () => {};
			};
			const faults = [...home.faults, mail, clock];
			let server = start();
			stack.defer(async () => (await server)[Symbol.asyncDispose]());
			const restart = async (before = async () => {}) => {
				const { process } = await server;
				process.signal('SIGKILL');
				server = process.exit().then(before).then(start);
			};
			const senders = leadSenders(async () => (await server).url, fieldsOf);

			const unanswered: Promise<void>[] = [];
			for (let round = 0; round < rounds; round += 1) {
				const drawn = faults.filter(() => random() < 0.15);
				// Nothing may arrive while something is wrong.
				const moment = momentOf(random, (drawn.length === 0 ? 3 : 2) * LEADS, senders, team);
				unanswered.push(senders.send(LEADS, SENDERS));
				await server;
				const ends = drawn.map((begin) => begin());
				await moment;
				const endFaults = async () => {
					for (const end of ends.splice(0)) await end();
				};
				// It may come to its end amid the faults, or after them.
				if (random() < 0.5) await endFaults();
				await restart(endFaults);
			}
			clockShift = 0;
			await restart();
			await server;
			await Promise.all(unanswered);
			// Spares the wait until a server may try what a killed one was trying.
			await home.endLeases();
			const { sent, accepted, statuses } = senders;
			expect(new Set(statuses.keys()).difference(new Set([0, 200, 503]))).toEqual(new Set());
			const [held, wanted] = [true, false].map((spam) => [...accepted].filter((lead) => isSpam(lead) === spam));
			await expect.poll(() => team.missing(wanted!).length, { timeout, interval: 100 }).toBe(0);
			expect(team.missing(held!)).toEqual(held);
			await using store = await openStore(home.place);
			const missingInQuarantine = async () => {
				const entries = await store.list({ state: 'quarantined', limit: 99_999 });
				const messages = new Set(entries.map(({ payload }) => (JSON.parse(payload) as ReceivedLead).lead.message));
				return held!.filter((lead) => !messages.has(lead));
			};
			await expect.poll(missingInQuarantine, { timeout }).toEqual([]);

			// All arrivals were sent, and each lead was saved once: its copies have the same id, by mail and by webhook.
			expect(team.arrived().difference(sent)).toEqual(new Set());
			expect(team.doubled()).toEqual([]);
			console.log(`${rounds} rounds, ${accepted.size} leads of ${sent.size} accepted, ${held!.length} of them held; none lost.`);
		},
	);
});

/** Resolves at the end of a round: after so many events at most, a lead sent, answered or arrived. */
function momentOf(random: () => number, most: number, senders: LeadSenders, team: { onArrival: () => void }) {
	let left = 1 + Math.floor(random() * most);
	const { promise, resolve } = Promise.withResolvers<void>();
	senders.onEvent = team.onArrival = () => {
		if (--left === 0) resolve();
	};
	return promise;
}
