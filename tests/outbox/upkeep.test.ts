import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Channel } from '../../src/channels/channel.ts';
import type { Message } from '../../src/channels/message.ts';
import { openOutbox } from '../../src/outbox/outbox.ts';
import { purging, tellOfQuarantine, tellOfSilence, tellOfStuck, tellOfUnanswered, timesByWeek } from '../../src/outbox/upkeep.ts';
import { type LeadStore, openStore, StoreError } from '../../src/store/store.ts';
import { team } from '../support/lead.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { claim, claimed, newEntry, quarantined, saved } from '../store/entries.ts';

/** Each test has its own. */
let store: LeadStore;
beforeEach(async () => {
	const folder = await temporaryFolder();
	store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	return disposing(store, folder)[Symbol.asyncDispose];
});

type Purge = LeadStore['purge'];
/** A step that deletes so many entries of each kind. */
const step =
	(aged: number, excess = 0, done = true): Purge =>
	() =>
		Promise.resolve({ aged, excess, done });
const failure: Purge = () => Promise.reject(new StoreError('The lead store failed.'));
const silent = pino({ level: 'silent' });

/** Returns what purges with these results of its steps, over files that are scrubbed or not. */
function purger(purges: Purge[], { scrubs = true, scrubbed = [] as boolean[] } = {}) {
	const scrub = vi.fn(() => Promise.resolve(scrubbed.shift() ?? true));
	const purge: Purge = (limits) => (purges.shift() ?? step(0))(limits);
	const lines: { msg: string }[] = [];
	const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as { msg: string }) });
	const file = scrubs ? ({} as LeadStore['file']) : undefined;
	const run = purging({ scrub, purge, file } as Partial<LeadStore> as LeadStore, 0, log);
	return { run, scrub, lines, log: () => lines.map(({ msg }) => msg.split(/[.:]/, 1)[0]!) };
}

const deleted = 'Entries and API keys were deleted';
const left = 'What was deleted is still in the files of the store';

test.each([
	[
		'at the next run since the store failed',
		[step(0), step(100, 0, false), failure],
		{},
		[1, 1, 2, 2],
		['The store cannot purge', deleted],
	],
	[
		'at a later run, since another program keeps it',
		[step(1)],
		{ scrubbed: [false, false] },
		[1, 2, 3, 3],
		[left, deleted, left],
	],
	[
		'never from files that are the database’s own',
		[step(1), failure],
		{ scrubs: false },
		[0, 0],
		[deleted, 'The store cannot purge'],
	],
])('what was deleted is taken out of the files %s', async (_, purges, options, scrubs, logged) => {
	const { run, scrub, log } = purger([...purges], options);
	for (const times of scrubs) {
		await run();
		expect(scrub).toHaveBeenCalledTimes(times);
	}
	expect(log()).toEqual(logged);
});

test('the log warns of what went because quarantine held too many', async () => {
	const { run, lines } = purger([step(0, 2)]);
	await run();
	expect(lines).toMatchObject([{ level: 40, purged: 2 }]);
});

test('an outbox purges at once if it is its turn, and whenever something is put into quarantine', async () => {
	const purge = vi.spyOn(store, 'purge');
	for (const purges of [1, 0]) {
		purge.mockClear();
		if (purges === 0) vi.spyOn(store, 'takeTurn').mockResolvedValue(false);
		const options = { channels: [], schedule: [], retention: 9, team };
		const outbox = openOutbox({ ...options, store, log: silent });
		await outbox.tryDue();
		expect(purge).toHaveBeenCalledTimes(purges);
		outbox.quarantined();
		await outbox.stop();
		expect(purge).toHaveBeenCalledTimes(purges + 1);
	}
});

test('no notice is due before the store knows whom it covers', async () => {
	await store.insert(quarantined('held'));
	let dueBefore: unknown[] | undefined;
	const announce = store.announce.bind(store);
	vi.spyOn(store, 'announce').mockImplementation(async (notice) => {
		dueBefore = await claim(store);
		await announce(notice);
	});
	expect(await tellOfQuarantine('UTC')(store, ['email'], silent)).toBe(true);
	expect(dueBefore).toEqual([]);
	expect(await claim(store)).toMatchObject([{ kind: 'notice' }]);
});

const [DAY, MINUTE] = [86_400_000, 60_000];
const START = Date.parse('2026-06-01T00:00:00Z');
/** Sets the clock to so many days after the start. */
const setDay = (day: number) => void vi.useFakeTimers({ toFake: ['Date'], now: START + day * DAY });

afterEach(() => void vi.useRealTimers());

/** Returns what tells of silence in the store once it has leads of these days, with each of its notices. */
async function silenceAfter(days: number[]) {
	for (const day of days) await saved(store, { receivedAt: START + day * DAY, channels: [] });
	return async (day: number) => {
		setDay(day);
		return tellOfSilence(store, ['email'], silent);
	};
}

const hold = () => store.insert(quarantined('held', { receivedAt: Date.now() }));

test('what is held is told of at once, and what comes after it half an hour after that notice', async () => {
	const isTold = (minute: number) => (setDay((minute * MINUTE) / DAY), tellOfQuarantine('UTC')(store, ['email'], silent));
	for (const [minute, expected] of [
		[0, true],
		[29.9, false],
		[30, true],
		[59.9, false],
		[60, true],
	] as const) {
		await hold();
		expect(await isTold(minute)).toBe(expected);
	}
	expect(await isTold(99)).toBe(false);
});

test('an outbox looks again after half an hour, though nothing more is held', async () => {
	vi.spyOn(store, 'takeTurn').mockResolvedValue(false);
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START });
	const sent: Message[] = [];
	const channel: Channel = { name: 'email', send: (message) => (sent.push(message), Promise.resolve({ ok: true })) };
	const options = { channels: [channel], schedule: [], retention: 9e9, team, log: silent };
	const outbox = openOutbox({ ...options, store });
	for (let held = 0; held < 3; held += 1) {
		await hold();
		outbox.quarantined();
		await outbox.tryDue();
	}
	const numbers = () => sent.map(({ event }) => event.data['number']);
	expect(numbers()).toEqual([1]);
	await vi.advanceTimersByTimeAsync(30 * MINUTE);
	await outbox.tryDue();
	expect(numbers()).toEqual([1, 2]);
	await outbox.stop();
});

test.each([
	['three days where leads come often', [0, 0.5, 1], 4, 4.1],
	['three times the longest pause', [0, 2, 3], 9, 9.1],
	['what the last thirty days alone say', [0, 15, 16, 17, 45.9, 46], 49, 49.1],
])('silence is told of after %s', async (_, days, usual, tooLong) => {
	const isTold = await silenceAfter(days);
	expect(await isTold(usual)).toBe(false);
	expect(await isTold(tooLong)).toBe(true);
});

test('silence is told of once a week, and neither hits nor notices end it', async () => {
	const isTold = await silenceAfter([0, 1]);
	expect(await isTold(4.5)).toBe(true);
	await store.insert(quarantined('held', { receivedAt: Date.now() }));
	await store.insert(newEntry({ kind: 'notice', receivedAt: Date.now() }));
	expect(await isTold(11.4)).toBe(false);
	expect(await isTold(11.6)).toBe(true);
	const [silence] = await claim(store);
	expect(JSON.parse(silence!.payload)).toMatchObject({ lastLead: '2026-06-02T00:00:00.000Z', longestPause: DAY });
	await saved(store, { receivedAt: Date.now(), channels: [] });
	expect(await isTold(18.7)).toBe(false);
});

test('what is parked for a day is told of once a week, over another channel if there is one', async () => {
	const tell = (day: number, channels: string[]) => (setDay(day), tellOfStuck(['email'])(store, channels, silent));
	setDay(0);
	await store.recordResult(await claimed(store), { state: 'parked', reason: 'HTTP 410' });
	for (const [day, isTold] of [
		[0.9, false],
		[1.1, true],
		[8, false],
		[8.2, true],
	] as const)
		expect(await tell(day, ['email', 'slack'])).toBe(isTold);
	expect(await claim(store, { channel: 'slack' })).toMatchObject([{ kind: 'notice' }, { kind: 'notice' }]);
	expect(await tell(16, ['email'])).toBe(true);
	const [notice] = await claim(store);
	expect(JSON.parse(notice!.payload)).toMatchObject({ channel: 'email', parked: true, reason: 'deliveries parked: 1' });
});

test.each([[[]], [[0]]])('nobody is told of silence while leads came on the days %j alone', async (days) => {
	expect(await (await silenceAfter(days))(29)).toBe(false);
});

test('thirty days without a fault tell of nothing', async () => {
	const isTold = await silenceAfter([]);
	for (let hour = 0; hour < 30 * 24; hour += 1) {
		// None on weekends, as clinics have it.
		if (hour % 24 === 9 && new Date(START + (hour / 24) * DAY).getUTCDay() % 6 !== 0)
			await saved(store, { receivedAt: START + (hour / 24) * DAY, channels: [] });
		expect(await isTold(hour / 24)).toBe(false);
	}
});

test('a fresh outbox sends the notice of a silence with what to try, unless that is off', async () => {
	for (const age of [10, 9]) await saved(store, { receivedAt: Date.now() - age * DAY, channels: [] });
	for (const silence of [false, true]) {
		const sent: Message[] = [];
		const channel: Channel = { name: 'email', send: (message) => (sent.push(message), Promise.resolve({ ok: true })) };
		const options = { channels: [channel], schedule: [], retention: 9e9, team, silence, log: silent };
		const outbox = openOutbox({ ...options, store });
		await outbox.tryDue();
		await outbox.stop();
		const notices = sent.filter(({ event }) => event.type === 'leads.silent');
		expect(notices).toHaveLength(silence ? 1 : 0);
		for (const { subject, text } of notices)
			expect([subject, text]).toMatchObject([/no lead for 9 days/, /npm run doctor/].map((part) => expect.stringMatching(part)));
	}
});

/** A Friday. */
const FRIDAY = Date.parse('2026-06-05T09:00:00Z');
const HOUR = 3_600_000;
const lead = (receivedAt: number, entry = {}) => saved(store, { receivedAt, channels: [], ...entry });

/** Saves a lead that somebody has taken, unless it is said not to. */
async function someTaken(at: number) {
	vi.useFakeTimers({ toFake: ['Date'], now: at });
	await store.assign(await lead(at), 'Ana');
}

/** Runs the reminder at a time. @returns what its notice holds, or undefined if there is none */
async function reminderAt(time: number, timeZone = 'UTC', channels = ['email']) {
	vi.useFakeTimers({ toFake: ['Date'], now: time });
	if (!(await tellOfUnanswered(24 * 3600, timeZone)(store, channels, silent))) return undefined;
	return JSON.parse((await claim(store)).at(-1)!.payload) as { unanswered: string[]; more: number; lastWeek?: object };
}

test('the team is reminded of a lead after the time of the setting, and not a minute before', async () => {
	await someTaken(FRIDAY - DAY);
	const id = await lead(FRIDAY - DAY + 60_000);
	expect(await reminderAt(FRIDAY)).toBeUndefined();
	expect(await reminderAt(FRIDAY + 60_000)).toMatchObject({ unanswered: [id], more: 0 });
});

test.each([
	['Friday in UTC', 'UTC', '2026-06-05T08:00:00Z', true],
	['early on Friday in UTC', 'UTC', '2026-06-05T07:59:59Z', false],
	['Friday in UTC, early in the zone', 'America/Los_Angeles', '2026-06-05T14:59:00Z', false],
	['Saturday in UTC, Friday in the zone', 'America/Los_Angeles', '2026-06-06T06:59:00Z', true],
	['Saturday in the zone', 'America/Los_Angeles', '2026-06-06T15:00:00Z', false],
	['Sunday in UTC, Monday in the zone', 'Pacific/Auckland', '2026-06-07T20:00:00Z', true],
	['Sunday in the zone', 'Pacific/Auckland', '2026-06-07T11:00:00Z', false],
])('a reminder comes from eight o’clock on, Monday to Friday by the time zone of the team: %s', async (_, zone, time, comes) => {
	await someTaken(FRIDAY - 3 * DAY);
	await lead(FRIDAY - 2 * DAY);
	expect((await reminderAt(Date.parse(time), zone)) !== undefined).toBe(comes);
});

test('a lead is in a reminder of each day, in three at most', async () => {
	await someTaken(FRIDAY - DAY);
	const id = await lead(FRIDAY - DAY);
	const times = [0, 10 * HOUR, 3 * DAY, 4 * DAY, 5 * DAY].map((later) => FRIDAY + later);
	const told = [];
	for (const time of times) told.push((await reminderAt(time))?.unanswered);
	expect(told).toEqual([[id], undefined, [id], [id], undefined]);
});

test('no reminder names a lead that is taken, spam, in quarantine, or older than a link lasts', async () => {
	await someTaken(FRIDAY - 2 * DAY);
	const spam = await lead(FRIDAY - 2 * DAY);
	await store.train(spam, { verdict: 'spam', signals: ['links'] }, []);
	await store.insert(quarantined('held', { receivedAt: FRIDAY - 2 * DAY }));
	await lead(FRIDAY - 31 * DAY);
	expect(await reminderAt(FRIDAY)).toBeUndefined();
	const id = await lead(FRIDAY - 2 * DAY, { spam: { verdict: 'marked', signals: ['links'] } });
	expect(await reminderAt(FRIDAY)).toMatchObject({ unanswered: [id] });
});

test.each([
	['never took a lead', undefined, false],
	['took one of the last thirty days', 29.9, true],
	['took only older ones', 30.1, false],
])('a team that %s is reminded: %s', async (_, age, comes) => {
	if (age !== undefined) await someTaken(FRIDAY - age * DAY);
	await lead(FRIDAY - 2 * DAY);
	expect(await reminderAt(FRIDAY, 'UTC', [])).toBeUndefined();
	expect((await reminderAt(FRIDAY)) !== undefined).toBe(comes);
});

test('a reminder names the twenty oldest leads, counts the others, and names those on the next day', async () => {
	await someTaken(FRIDAY - DAY);
	const ids = [];
	for (let turn = 0; turn < 21; turn += 1) ids.push(await lead(FRIDAY - 3 * DAY + turn));
	for (const day of [0, 3, 4])
		expect(await reminderAt(FRIDAY + day * DAY)).toMatchObject({ unanswered: ids.slice(0, 20), more: 1 });
	expect(await reminderAt(FRIDAY + 5 * DAY)).toMatchObject({ unanswered: ids.slice(20), more: 0 });
});

test('the wait of a lead ends when somebody first takes it, and counts in the week in which the lead came', () => {
	const monday = Date.parse('2026-06-08T00:00:00Z');
	const taken = (receivedAt: number, hours: number, first?: number) => {
		const at = receivedAt + hours * HOUR;
		return { receivedAt, assigned: { by: 'Ana', at, first: first && receivedAt + first * HOUR } };
	};
	const leads = [taken(monday + 7 * DAY - 1, -1), taken(monday, 9, 2), taken(monday, 4), taken(monday, 3), taken(monday - 1, 1)];
	expect(timesByWeek(leads)).toEqual([
		{ week: '2026-06-08', leads: 4, medianSeconds: 3 * 3600, longestSeconds: 4 * 3600 },
		{ week: '2026-06-01', leads: 1, medianSeconds: 3600, longestSeconds: 3600 },
	]);
});

test('on Mondays a reminder and a notice of quarantine say how long the leads of the last seven days waited', async () => {
	for (const [age, wait] of [
		[8, 5],
		[6, 1],
		[5, 2],
		[4, 3],
	] as const) {
		const id = await lead(FRIDAY + (3 - age) * DAY);
		vi.useFakeTimers({ toFake: ['Date'], now: FRIDAY + (3 - age) * DAY + wait * HOUR });
		await store.assign(id, 'Ana');
	}
	await lead(FRIDAY - DAY);
	expect((await reminderAt(FRIDAY))?.lastWeek).toBeUndefined();
	expect(await reminderAt(FRIDAY + 3 * DAY)).toMatchObject({
		lastWeek: { leads: 3, medianSeconds: 2 * 3600, longestSeconds: 3 * 3600 },
	});
	const told = async (timeZone: string) => {
		await hold();
		expect(await tellOfQuarantine(timeZone)(store, ['email'], silent)).toBe(true);
		vi.setSystemTime(Date.now() + HOUR);
		const contents = (await claim(store)).map(({ payload }) => JSON.parse(payload) as { number?: number; receivedAt: string });
		return contents
			.filter(({ number }) => number)
			.toSorted((one, other) => one.receivedAt.localeCompare(other.receivedAt))
			.at(-1);
	};
	// It is Sunday there.
	expect(await told('Pacific/Honolulu')).not.toHaveProperty('lastWeek');
	expect(await told('UTC')).toMatchObject({ number: 1, lastWeek: { leads: 3 } });
});
