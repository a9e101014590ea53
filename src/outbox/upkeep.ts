import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, namesOf } from '../channels/channel.ts';
import { ownEntry } from '../channels/entry.ts';
import { contentOf, type News, type Notices, type TimesToTaken } from '../channels/message.ts';
import { commandOf } from '../facts/load.ts';
import { keyedHash } from '../lead/email-address.ts';
import { DAY_MS } from '../lead/values.ts';
import { CLOCK_ERROR_MS } from '../store/database.ts';
import type { LeadStore, StoredEntry, TakenLead } from '../store/store.ts';

/** The most entries in quarantine that the sales team was notified of, the most that are no leads or were called spam, and the most traits of deleted leads. */
const QUARANTINE_CAP = 5000;
const WEEK_MS = 7 * DAY_MS;
/** How long the sales team has to look into the store after a message about what is there. */
export const DECISION_TIME_MS = 3 * DAY_MS;
/** How many entries one step deletes for each reason: other work has its turn in between. */
const BATCH = 25;
/** How long a notice waits for the store to note which possible leads it covers. If it went out first it would name none of them, and the next would tell of them. */
const ANNOUNCE_TIME_MS = 60_000;

/** Returns the mark of notices about this, in all instances. One of a channel's name alone ends with its next delivery, others by time. */
export const noticeMark = ({ secret }: LeadStore, about: string): string => keyedHash(secret, 'incident', about);

/** Where notices are saved, for which channels. */
export type Board = { store: LeadStore; channels: string[]; log: Logger };
/** Saves a notice, if there is news that none has told of yet. */
export type Tell = (board: Board) => Promise<void>;

/** Returns a notice that is not saved if one about the same was within this time, in milliseconds. */
function newNotice(store: LeadStore, about: string, content: News, channels: string[], pause: number) {
	const key = noticeMark(store, about);
	return ownEntry('notice', content, channels, { key, fingerprint: key, lifetime: pause });
}

/** Saves a {@link newNotice} to these channels. @returns its id if it was saved */
async function saveNotice({ store, channels }: Board, about: string, content: News, pause: number, wait = 0) {
	if (channels.length === 0) return undefined;
	const notice = { ...newNotice(store, about, content, channels, pause), wait };
	return (await store.insert(notice)).outcome === 'inserted' ? notice.id : undefined;
}

/**
 * Tells the other channels that one is in trouble, or this one if no other takes notices: once a week, or again after it had worked.
 * {@link tellOfStuck} tells of the same channel by a mark of its own. @param about by default ends when the channel works again
 */
export async function tellOfTrouble(board: Board, trouble: Notices['channel.failing'], about = trouble.channel) {
	const { channel, reason } = trouble;
	const others = board.channels.filter((name) => name !== channel);
	const notified = others.length > 0 ? others : board.channels;
	if (await saveNotice({ ...board, channels: notified }, about, trouble, WEEK_MS))
		board.log.error({ channel, reason, notified }, 'A channel is in trouble. Leads for it are kept.');
}

/** Tells, once, that the address of a visitor is wrong: they wait for an answer by mail. @param sent the confirmation @param status why it did not get that */
export async function tellOfWrongAddress(board: Board, sent: Pick<StoredEntry, 'payload'>, status: string): Promise<void> {
	const { about } = contentOf(sent);
	const [lead] = about ? await board.store.find(about) : [];
	if (lead) await saveNotice(board, `returned ${lead.id}`, { returned: lead.id, status }, WEEK_MS);
}

/** Between two notices of quarantine at least, and between two looks at most: so what is held is told of within the hour. In milliseconds. */
export const QUARANTINE_PAUSE_MS = 30 * 60_000;

/** Tells of the possible leads in quarantine. */
export async function tellOfQuarantine(board: Board, timeZone: string): Promise<void> {
	const { store, channels, log } = board;
	// Lets the answer to the submission go out first: it must take no longer than that to a lead.
	await nextTurn();
	const number = await store.countUnnotified(QUARANTINE_CAP);
	if (number === 0) return;
	const news = { number, lastWeek: await lastWeekOn(localDay(timeZone), store) };
	const id = await saveNotice(board, 'quarantine', news, QUARANTINE_PAUSE_MS, ANNOUNCE_TIME_MS);
	if (id === undefined) return;
	await store.announce(id);
	// Ends the wait.
	await store.retry({ id }, channels);
	log.warn({ number, notified: channels }, 'Possible leads are in quarantine.');
}

/** Returns whether a stored time has come. One that has not is from a clock that was ahead, and would put off the news until then. */
const isPast = (time: number) => time <= Date.now() + CLOCK_ERROR_MS;

/**
 * Logs the deliveries that the outbox does not try by itself: those that are parked, and those for channels that are not
 * configured. Of those that are parked for a day it tells once a week.
 */
export async function tellOfStuck(board: Board, configured: string[]): Promise<void> {
	const { store, log } = board;
	const pending = await store.pendingChannels();
	const stranded = pending.filter((channel) => !configured.includes(channel));
	const remedy = `Configure them, or run ${commandOf('leads')} retry --parked.`;
	if (stranded.length > 0) log.warn({ stranded }, `Leads wait for channels that are not configured. ${remedy}`);
	for (const channel of pending) {
		const { parked, since } = await store.countParked(channel);
		if (parked === 0) continue;
		log.error({ channel, parked }, `Deliveries are parked. When the reason is gone: ${commandOf('leads')} retry --parked`);
		if (since > Date.now() - DAY_MS && isPast(since)) continue;
		const trouble = { channel, reason: `deliveries parked: ${parked}`, parked: true };
		await tellOfTrouble(board, trouble, `parked ${channel}`);
	}
}

/** Leads this recent say how long a pause is usual. A silence is three times as long, and at least so long. */
const [USUAL_TIME_MS, SHORTEST_SILENCE_MS] = [30 * DAY_MS, 3 * DAY_MS];

/** Tells, once a week, that no lead has come for longer than usual, if at least two are known. */
export async function tellOfSilence(board: Board): Promise<void> {
	const now = Date.now();
	const times = (await board.store.leadTimes(now - USUAL_TIME_MS)).filter(isPast);
	const pause = Math.max(...times.slice(1).map((time, index) => times[index]! - time));
	if (times.length < 2 || now - times[0]! <= Math.max(3 * pause, SHORTEST_SILENCE_MS)) return;
	const content = { lastLead: new Date(times[0]!).toISOString(), longestPause: pause };
	if (await saveNotice(board, 'silence', content, WEEK_MS))
		board.log.warn({ ...content, notified: board.channels }, 'No lead has come for longer than usual.');
}

/** How many leads a reminder names, at most. */
const MOST_REMINDED = 20;
/** The hour from which a reminder comes, in the team's time zone. */
const MORNING = '08';

/**
 * Tells, once on each working day, of the leads that nobody answers, once somebody has taken a lead of the last thirty days.
 * @param age of a lead, in seconds, from which on it is in it
 */
export async function tellOfUnanswered({ store, channels, log }: Board, age: number, timeZone: string): Promise<void> {
	const now = Date.now();
	const taken = channels.length === 0 ? [] : await store.takenLeads(now - USUAL_TIME_MS);
	// First: to load the words of dates takes a twentieth of the start.
	if (taken.length === 0) return;
	const today = localDay(timeZone);
	const { day, time, weekday } = today;
	if (weekday % 6 === 0 || time < MORNING) return;
	const lastWeek = await lastWeekOn(today, store);
	const isSaved = await store.remind({ oldest: USUAL_TIME_MS, youngest: age * 1000, limit: MOST_REMINDED }, (unanswered, more) =>
		newNotice(store, `unanswered ${day}`, { unanswered, more, lastWeek }, channels, 2 * DAY_MS),
	);
	if (isSaved) log.info({ notified: channels }, 'The team is reminded of leads that nobody answers.');
}

/** Returns date and time in a time zone, as in ISO 8601, and the day of the week, from 0 for Sunday. */
function localDay(timeZone: string) {
	// Swedish dates are written so.
	const [day = '', time = ''] = new Date().toLocaleString('sv', { timeZone }).split(' ');
	return { day, time, weekday: new Date(day).getUTCDay() };
}

/** Returns, on a Monday, how long the leads of the last seven days waited. */
const lastWeekOn = async ({ weekday }: ReturnType<typeof localDay>, store: LeadStore) =>
	weekday === 1 ? timesToTaken(await store.takenLeads(Date.now() - WEEK_MS)) : undefined;

type Remark = Parameters<typeof ownEntry<'remark'>>[1];

/** Tells in those of the channels that are chats who answers a lead now. */
export async function tellOfAnswerer(remark: Remark, channels: Channel[], store: LeadStore): Promise<void> {
	const chats = namesOf(channels.filter(({ isChat }) => isChat));
	if (chats.length > 0) await store.insert(ownEntry('remark', remark, chats));
}

/** Returns how long leads waited until somebody took them. Undefined if there are none. */
export function timesToTaken(leads: TakenLead[]): TimesToTaken | undefined {
	const waits = leads.map(({ receivedAt, assigned: { at, first = at } }) => Math.max(0, Math.round((first - receivedAt) / 1000)));
	waits.sort((one, other) => one - other);
	if (waits.length === 0) return undefined;
	return { leads: waits.length, medianSeconds: waits[(waits.length - 1) >> 1]!, longestSeconds: waits.at(-1)! };
}

/** Returns the Monday of a time's week, in UTC. */
function mondayOf(time: number): string {
	const day = new Date(time);
	day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
	return day.toISOString().slice(0, 10);
}

/** Returns {@link timesToTaken} for each week in which such leads came, by its Monday (UTC). @param leads the newest first, as the weeks are then */
export function timesByWeek(leads: TakenLead[]): ({ week: string } & TimesToTaken)[] {
	const weeks = [...Map.groupBy(leads, ({ receivedAt }) => mondayOf(receivedAt))];
	return weeks.map(([week, some]) => Object.assign({ week }, timesToTaken(some)!));
}

/** Returns a function that deletes entries and API keys over their retention, in seconds, and excess in quarantine. It never rejects. */
export function purging(store: LeadStore, retention: number, log: Logger) {
	const limits = { age: retention * 1000, decisionTime: DECISION_TIME_MS, cap: QUARANTINE_CAP, batch: BATCH };
	// PostgreSQL uses the space of deleted rows again: only `erase` has it write the tables anew.
	const scrubs = store.file !== undefined;
	// Rows that an earlier process deleted may still be in the files.
	let unscrubbed = scrubs;
	return async (): Promise<void> => {
		let [aged, excess] = [0, 0];
		try {
			let step;
			do {
				step = await store.purge(limits);
				aged += step.aged;
				excess += step.excess;
			} while (!step.done);
			unscrubbed ||= scrubs && aged + excess > 0;
			unscrubbed &&= !(await store.scrub());
			const reason = 'What was deleted is still in the files of the store: another program reads them.';
			if (unscrubbed) log.warn(`${reason} Trying again within the hour.`);
		} catch (error) {
			// Some rows may be deleted all the same, and still be in the files.
			unscrubbed = scrubs;
			log.error({ err: error }, 'The store cannot purge. It is tried again within the hour.');
		} finally {
			if (aged > 0) log.info({ purged: aged }, 'Entries and API keys were deleted: their retention has ended.');
			if (excess > 0) log.warn({ purged: excess }, `Entries were deleted: quarantine keeps the newest ${QUARANTINE_CAP}.`);
		}
	};
}
