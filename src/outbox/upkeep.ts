import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ownEntry } from '../channels/entry.ts';
import { keyedHash } from '../lead/email-address.ts';
import type { LeadStore } from '../store/store.ts';

/** The most entries in quarantine that the sales team was told of, and the most that cannot be leads. */
const QUARANTINE_CAP = 5000;
/** In milliseconds: how long the sales team has to look into the store after a message about what is there. */
export const DECISION_TIME = 3 * 24 * 3600_000;
/** How many entries one step deletes: other work has its turn in between. */
const BATCH = 25;
/** In milliseconds: how long a notice waits for the store to note which possible leads it covers. They would never count as told if it went out first. */
const ANNOUNCE_TIME = 60_000;
/** In milliseconds: between two notices of possible leads, and of a silence. */
const [NOTICE_PAUSE, SILENCE_PAUSE] = [24 * 3600_000, 7 * 24 * 3600_000];

/** Returns the mark of an incident: of a channel's trouble by its name. It ends with the channel's next delivery, for all instances. */
export const incidentOf = ({ secret }: LeadStore, about: string): string => keyedHash(secret, 'incident', about);

type News = Parameters<typeof ownEntry>[1];

/** Saves a notice to these channels, unless one of the same incident was saved within this time. @returns its id if it was saved */
export async function saveNotice(store: LeadStore, about: string, content: News, channels: string[], pause: number, wait = 0) {
	const key = incidentOf(store, about);
	const notice = { ...ownEntry('notice', content, channels, { key, fingerprint: key, lifetime: pause }), wait };
	return (await store.insert(notice)) === 'inserted' ? notice.id : undefined;
}

/** Saves a notice of the possible leads in quarantine to these channels, once a day. @returns whether it is due now */
export async function tellOfQuarantine(store: LeadStore, channels: string[], log: Logger): Promise<boolean> {
	// Lets the answer to the submission go out first: it must take no longer than that to a lead.
	await nextTurn();
	const number = await store.countUntold(QUARANTINE_CAP);
	if (number === 0) return false;
	const id = await saveNotice(store, 'quarantine', { number }, channels, NOTICE_PAUSE, ANNOUNCE_TIME);
	if (id === undefined) return false;
	await store.announce(id);
	// Ends the wait.
	await store.retry({ id }, channels);
	log.warn({ number, told: channels }, 'Possible leads are in quarantine.');
	return true;
}

/** In milliseconds: leads this recent say how long a pause is usual, which a silence is three times as long as, and at least this long. */
const [USUAL_TIME, SHORTEST_SILENCE] = [30 * 24 * 3600_000, 3 * 24 * 3600_000];

/** Saves a notice, once a week, if no lead has come for longer than usual, once two are known. @returns whether it is due now */
export async function tellOfSilence(store: LeadStore, channels: string[], log: Logger): Promise<boolean> {
	const now = Date.now();
	const times = await store.leadTimes(now - USUAL_TIME);
	const pause = Math.max(...times.slice(1).map((time, index) => times[index]! - time));
	if (times.length < 2 || now - times[0]! <= Math.max(3 * pause, SHORTEST_SILENCE)) return false;
	const content = { lastLead: new Date(times[0]!).toISOString(), longestPause: pause };
	if (!(await saveNotice(store, 'silence', content, channels, SILENCE_PAUSE))) return false;
	log.warn({ ...content, told: channels }, 'No lead has come for longer than usual.');
	return true;
}

/** Returns a function that deletes entries and API keys over their retention, in seconds, and excess in quarantine. It never rejects. */
export function purging(store: LeadStore, { retention, scrubs }: { retention: number; scrubs: boolean }, log: Logger) {
	const limits = { age: retention * 1000, decisionTime: DECISION_TIME, cap: QUARANTINE_CAP, batch: BATCH };
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
