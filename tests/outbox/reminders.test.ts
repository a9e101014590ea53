import { expect, test } from 'vitest';
import { tellOfQuarantine, tellOfUnanswered, timesByWeek } from '../../src/outbox/upkeep.ts';
import { claim, quarantined } from '../store/entries.ts';
import { DAY, HOUR, lead, setClock, store, tells } from './one-store.ts';

const FRIDAY = Date.parse('2026-06-05T09:00:00Z');

async function someTaken(at: number) {
	setClock(at);
	await store.assign(await lead(at), 'Ana');
}

/** Runs the reminder at a time. @returns what its notice holds, or undefined if there is none */
async function reminderAt(time: number, timeZone = 'UTC', channels = ['email']) {
	setClock(time);
	if (!(await tells(tellOfUnanswered(24 * 3600, timeZone), channels))) return undefined;
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
		expect(await tells(tellOfQuarantine(timeZone))).toBe(true);
		setClock(Date.now() + HOUR);
		const contents = (await claim(store)).map(({ payload }) => JSON.parse(payload) as { number?: number; receivedAt: string });
		return contents.filter(({ number }) => number).reduce((one, other) => (one.receivedAt > other.receivedAt ? one : other));
	};
	// It is Sunday there.
	expect(await told('Pacific/Honolulu')).not.toHaveProperty('lastWeek');
	expect(await told('UTC')).toMatchObject({ number: 1, lastWeek });
});
