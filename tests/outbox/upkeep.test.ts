import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { purging, tellOfQuarantine, tellOfSilence, tellOfStuck, tellOfUnanswered, timesByWeek } from '../../src/outbox/upkeep.ts';
import { type LeadStore, StoreError } from '../../src/store/store.ts';
import { claim, newEntry, quarantined, triedIn } from '../store/entries.ts';
import { DAY, HOUR, lead, openSending, setClock, silent, store, tells } from './one-store.ts';

const START = Date.parse('2026-06-01T00:00:00Z');
const setDay = (day: number) => setClock(START + day * DAY);

const hold = () => store.insert(quarantined('held', { receivedAt: Date.now() }));

test('an outbox purges at once if it is its turn, and whenever something is put into quarantine, and tells of that before it stops', async () => {
	const purge = vi.spyOn(store, 'purge');
	for (const purges of [1, 0]) {
		purge.mockClear();
		if (purges === 0) vi.spyOn(store, 'takeTurn').mockResolvedValue(false);
		const outbox = openSending();
		await outbox.tryDue();
		expect(purge).toHaveBeenCalledTimes(purges);
		await hold();
		outbox.quarantined();
		await outbox.stop();
		expect(purge).toHaveBeenCalledTimes(purges + 1);
		expect(await store.countUnnotified(9)).toBe(0);
		setClock(Date.now() + HOUR);
	}
});

type Purge = LeadStore['purge'];
/** A step that deletes so many entries of each kind. */
const step =
	(aged: number, excess = 0, done = true): Purge =>
	async () => ({ aged, excess, done });
const failure: Purge = () => Promise.reject(new StoreError('The lead store failed.'));

// `scrubbed`: whether each scrubbing works, which by default it does; undefined where the files are the database's own.
test.each<
	[string, steps: Purge[], scrubbed: boolean[] | undefined, scrubs: number[], logged: [level: number, purged?: number][]]
>([
	['at the next run since the store failed', [step(0), step(100, 0, false), failure], [], [1, 1, 2, 2], [[50], [30, 100]]],
	['at a later run, since another keeps it', [step(1)], [false, false], [1, 2, 3, 3], [[40], [30, 1], [40]]],
	['never from files that are the database’s own', [step(1), failure], undefined, [0, 0], [[30, 1], [50]]],
	['with what quarantine held too much, of which the log warns', [step(0, 2)], [], [1], [[40, 2]]],
])('what was deleted is taken out of the files %s', async (_, steps, scrubbed, times, logged) => {
	const scrub = vi.fn(async () => scrubbed?.shift() ?? true);
	const purge: Purge = (limits) => (steps.shift() ?? step(0))(limits);
	const lines: { level: number; purged?: number }[] = [];
	const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
	const file = scrubbed && ({} as LeadStore['file']);
	const run = purging({ scrub, purge, file } as Partial<LeadStore> as LeadStore, 0, log);
	for (const scrubbings of times) {
		await run();
		expect(scrub).toHaveBeenCalledTimes(scrubbings);
	}
	expect(lines.map(({ level, purged }) => (purged ? [level, purged] : [level]))).toEqual(logged);
});

test('no notice is due before the store knows whom it covers', async () => {
	await hold();
	let dueBefore: unknown[] | undefined;
	const announce = store.announce.bind(store);
	vi.spyOn(store, 'announce').mockImplementation(async (notice) => {
		dueBefore = await claim(store);
		await announce(notice);
	});
	await tellOfQuarantine({ store, channels: ['email'], log: silent }, 'UTC');
	expect(dueBefore).toEqual([]);
	expect(await claim(store)).toMatchObject([{ kind: 'notice' }]);
});

test('what is held is told of at once, and what comes after it half an hour after that notice', async () => {
	const told = [];
	for (const minute of [0, 29.9, 30, 59.9, 60]) {
		setClock(START + minute * 60_000);
		await hold();
		told.push(await tells((board) => tellOfQuarantine(board, 'UTC')));
	}
	expect(told).toEqual([true, false, true, false, true]);
	setDay(1);
	expect(await tells((board) => tellOfQuarantine(board, 'UTC'))).toBe(false);
});

test('an outbox looks again after half an hour, though nothing more is held', async () => {
	vi.spyOn(store, 'takeTurn').mockResolvedValue(false);
	vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START });
	const outbox = openSending();
	for (let held = 0; held < 3; held += 1) {
		await hold();
		outbox.quarantined();
		await outbox.tryDue();
	}
	const numbers = () => outbox.sent.map(({ event }) => event.data['number']);
	expect(numbers()).toEqual([1]);
	await vi.advanceTimersByTimeAsync(HOUR / 2);
	await outbox.tryDue();
	expect(numbers()).toEqual([1, 2]);
});

test('an outbox asks again soon for a turn that the store could not give', async () => {
	const takeTurn = vi.spyOn(store, 'takeTurn').mockRejectedValueOnce(new StoreError('down'));
	openSending();
	await expect.poll(() => takeTurn.mock.calls.length).toBe(2);
});

const isSilent = (day: number) => (setDay(day), tells(tellOfSilence));
async function takeOn(...days: number[]) {
	for (const day of days) await lead(START + day * DAY);
}

test.each([
	['after three days where leads come often', [0, 0.5, 1], 4, 4.1],
	['after three times the longest pause', [0, 2, 3], 9, 9.1],
	['after what the last thirty days alone say', [0, 15, 16, 17, 45.9, 46], 49, 49.1],
	['also after leads that came while the clock was ahead', [0, 0.5, 1, 366], 4, 4.1],
	['not where one lead alone is known', [0], 29],
	['not where none is', [], 29],
])('silence is told of %s', async (_, days, usual, tooLong?: number) => {
	await takeOn(...days);
	expect(await isSilent(usual)).toBe(false);
	if (tooLong) expect(await isSilent(tooLong)).toBe(true);
});

test('silence is told of once a week, and neither hits nor notices end it', async () => {
	await takeOn(0, 1);
	expect(await isSilent(4.5)).toBe(true);
	await hold();
	await store.insert(newEntry({ kind: 'notice', receivedAt: Date.now() }));
	expect([await isSilent(11.4), await isSilent(11.6)]).toEqual([false, true]);
	const [silence] = await claim(store);
	expect(JSON.parse(silence!.payload)).toMatchObject({ lastLead: '2026-06-02T00:00:00.000Z', longestPause: DAY });
	await takeOn(11.6);
	expect(await isSilent(18.7)).toBe(false);
});

test('what is parked for a day is told of once a week, over another channel if there is one', async () => {
	const tell = (day: number, channels: string[]) => (setDay(day), tells((board) => tellOfStuck(board, ['email']), channels));
	setDay(0);
	await triedIn(store, { state: 'parked', reason: 'HTTP 410' });
	const told = await Array.fromAsync([0.9, 1.1, 8, 8.2], (day) => tell(day, ['email', 'slack']));
	expect(told).toEqual([false, true, false, true]);
	expect(await claim(store, { channel: 'slack' })).toMatchObject([{ kind: 'notice' }, { kind: 'notice' }]);
	expect(await tell(16, ['email'])).toBe(true);
	const [notice] = await claim(store);
	expect(JSON.parse(notice!.payload)).toMatchObject({ channel: 'email', parked: true, reason: 'deliveries parked: 1' });
});

test('what was parked while the clock was ahead is told of once it is right again', async () => {
	setDay(366);
	await triedIn(store, { state: 'parked', reason: 'HTTP 410' });
	setDay(1);
	expect(await tells((board) => tellOfStuck(board, ['email']), ['slack'])).toBe(true);
});

test('a fresh outbox sends the notice of a silence with what to try, unless that is off', async () => {
	for (const age of [10, 9]) await lead(Date.now() - age * DAY);
	for (const silence of [false, true]) {
		const outbox = openSending({ silence });
		await outbox.tryDue();
		await outbox.stop();
		const words = { subject: expect.stringContaining('no lead for 9 days'), text: expect.stringContaining('npm run doctor') };
		expect(outbox.sent.filter(({ event }) => event.type === 'leads.silent')).toMatchObject(silence ? [words] : []);
	}
});

const FRIDAY = Date.parse('2026-06-05T09:00:00Z');

async function someTaken(at: number) {
	setClock(at);
	await store.assign(await lead(at), 'Ana');
}

/** Runs the reminder at a time. @returns what its notice holds, or undefined if there is none */
async function reminderAt(time: number, timeZone = 'UTC', channels = ['email']) {
	setClock(time);
	if (!(await tells((board) => tellOfUnanswered(board, 24 * 3600, timeZone), channels))) return undefined;
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
	const told = await Array.fromAsync(times, (time) => reminderAt(time));
	expect(told.map((notice) => notice?.unanswered)).toEqual([[id], undefined, [id], [id], undefined]);
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
	const ids = await Array.fromAsync({ length: 21 }, (_, turn) => lead(FRIDAY - 3 * DAY + turn));
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
		{ week: '2026-06-08', leads: 4, medianSeconds: 2 * 3600, longestSeconds: 4 * 3600 },
		{ week: '2026-06-01', leads: 1, medianSeconds: 3600, longestSeconds: 3600 },
	]);
});

test('on Mondays a reminder and a notice of quarantine say how long the leads of the last seven days waited', async () => {
	for (const [age, wait] of Object.entries({ 8: 5, 6: 1, 5: 2, 4: 3 })) {
		const came = FRIDAY + (3 - Number(age)) * DAY;
		const id = await lead(came);
		setClock(came + wait * HOUR);
		await store.assign(id, 'Ana');
	}
	await lead(FRIDAY - DAY);
	expect((await reminderAt(FRIDAY))?.lastWeek).toBeUndefined();
	const lastWeek = { leads: 3, medianSeconds: 2 * 3600, longestSeconds: 3 * 3600 };
	expect(await reminderAt(FRIDAY + 3 * DAY)).toMatchObject({ lastWeek });
	const told = async (timeZone: string) => {
		await store.insert(quarantined('held', { receivedAt: Date.now() }));
		expect(await tells((board) => tellOfQuarantine(board, timeZone))).toBe(true);
		setClock(Date.now() + HOUR);
		const contents = (await claim(store)).map(({ payload }) => JSON.parse(payload) as { number?: number; receivedAt: string });
		return contents.filter(({ number }) => number).reduce((one, other) => (one.receivedAt > other.receivedAt ? one : other));
	};
	// It is Sunday there.
	expect(await told('Pacific/Honolulu')).not.toHaveProperty('lastWeek');
	expect(await told('UTC')).toMatchObject({ number: 1, lastWeek });
});
