import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, channelsFor, namesOf, type SendResult, sendWithin, TRY_TIMEOUT_MS } from '../channels/channel.ts';
import { deliveryTried } from '../lead/lead.ts';
import type { ReceivedLead, Team } from '../channels/message.ts';
import { contentOf, entryMessage } from '../channels/entry.ts';
import type { Judgement } from '../lead/judgement.ts';
import { STORE_PAUSE, StoreError, watchStore } from '../store/database.ts';
import type { ClaimedDelivery, DeliveryResult, LeadStore } from '../store/store.ts';
import { backgroundWork } from './background-work.ts';
import { saveConfirmation } from './confirming.ts';
import type { SpamCheck } from './judging.ts';
import { DECISION_TIME_MS, incidentOf, othersThan, purging, saveNotice, type Tell } from './upkeep.ts';
import { tellOfQuarantine, tellOfSilence, tellOfStuck, WEEK_MS } from './upkeep.ts';

export interface OutboxOptions {
	store: LeadStore;
	/** Those that deliver leads. */
	channels: Channel[];
	/** Confirms leads to visitors. Undefined: nobody gets a confirmation. */
	visitorMail?: Channel | undefined;
	/** Bring canaries to the operator. */
	canaries?: Channel[];
	/** The wait after each failed try, in seconds. After the last wait there is one more try; then the delivery is parked. */
	schedule: number[];
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	team: Team;
	/** Undefined: nobody judges leads. */
	spam?: SpamCheck | undefined;
	/** Whether the sales team hears that no lead has come for longer than usual. */
	silence?: boolean;
	/** Whether this process removes deleted rows from the files. PostgreSQL uses their space again. */
	scrubs: boolean;
	/** False: this process did the hourly work within the hour, for an outbox before this one. */
	fresh?: boolean;
	log: Logger;
}

/** In milliseconds: how long tries may continue when the process stops, or when its host may freeze it. */
const GRACE = 8000;
/** The most tries that a channel may have in flight. */
const CONCURRENCY = 8;
/** In milliseconds: of a claim, and from it until a try begins at the latest, so that it ends before the lease. */
const [LEASE, LATEST_START] = [2 * TRY_TIMEOUT_MS, 20_000];
/** In milliseconds: between two looks. Another instance may leave a delivery behind, or be claiming the one that is due. */
const [LONGEST_PAUSE, SHORTEST_PAUSE] = [15_000, 50];
/** A channel is in trouble when this many tries of one delivery failed, when one is parked, or when a failure lasts by its looks. */
const PATIENCE = 3;
/** In milliseconds: between two runs of the work on what stays. */
const HOUR = 3600_000;

export type Outbox = ReturnType<typeof openOutbox>;

/** Delivers the store's entries to the channels, until each channel has them or refuses them for good, and looks after those that stay. */
export function openOutbox(options: OutboxOptions) {
	const { store, channels, visitorMail, canaries = [], team, schedule, retention, log } = options;
	const { spam: check, silence = false, fresh = true } = options;
	const copies = fresh ? store.copies() : [];
	if (copies.length > 0)
		log.warn({ copies }, 'Copies from before an upgrade hold leads, also erased ones. Delete them if this version works.');

	/** Names this process, as the holder of leases. */
	const owner = randomUUID();
	const noticeChannels = namesOf(channelsFor(channels));
	/** By the id of the lead: several channels may claim it at the same moment. */
	const judgements = new Map<string, Promise<Judgement | undefined>>();
	let confirmed: Promise<boolean> = Promise.resolve(false);
	/** Ends the tries in flight and the wait for a failing store, because the process has to end. */
	const cutOff = new AbortController();
	/** Whether there is more to do since `tryDue` looked. */
	let more = false;
	const telling = (news: Tell[]) =>
		backgroundWork(async () => {
			for (const tell of news)
				try {
					if (await tell(store, noticeChannels, log)) saved();
				} catch (error) {
					log.error({ err: error }, 'A notice cannot be saved. Trying again within the hour.');
				}
			return HOUR;
		});
	const notices = telling([tellOfQuarantine]);
	const checks = telling([tellOfStuck(namesOf(channels)), ...(silence ? [tellOfSilence] : [])]);
	const purge = purging(store, options, log);
	const purges = backgroundWork(() => purge().then(() => HOUR));
	const lanes = [...channels, ...canaries, ...(visitorMail ? [visitorMail] : [])].map(laneOf);
	if (fresh) quarantined();
	if (fresh) checks.nudge();
	saved();
	return { saved, quarantined, tryDue, stop };

	/** Says that something was saved: looks for due deliveries. */
	function saved(): void {
		more = true;
		for (const { nudge } of lanes) nudge();
	}

	/** Says that something was put into quarantine: tells the sales team, and deletes what is too much. */
	function quarantined(): void {
		more = true;
		notices.nudge();
		purges.nudge();
	}

	/** Tries due deliveries once, as far as there is room, for {@link GRACE} at most: for a process that its host may freeze after its answer. */
	async function tryDue(): Promise<void> {
		await Promise.race([tryAll(), wait(GRACE, undefined, { ref: false })]);
	}

	async function tryAll(): Promise<void> {
		// After a try, a confirmation or a notice may be due.
		do {
			more = false;
			await Promise.all([notices.idle(), checks.idle()]);
			for (const { nudge } of lanes) nudge();
			await Promise.all(lanes.map(({ idle }) => idle()));
		} while (more);
	}

	/** Lets tries in flight end, cuts off those that take longer than `grace`, and gives up the leases on the rest. */
	async function stop(grace = GRACE): Promise<void> {
		await Promise.all([notices.stop(), checks.stop()]);
		const lastCall = setTimeout(() => cutOff.abort(), grace);
		await Promise.all(lanes.map((lane) => lane.stop()));
		clearTimeout(lastCall);
		await store.endLeases(owner);
		await purges.stop();
	}

	/** One channel's part of the outbox: a slow channel delays no other. */
	function laneOf(channel: Channel) {
		/** In flight, by the id of the entry and the number of earlier tries. */
		const tries = new Map<string, Promise<void>>();
		const { nudge, ...look } = backgroundWork(claim);
		const triesAfter = (looked: Promise<void>) => looked.then(() => Promise.all(tries.values()));
		return { nudge, idle: () => triesAfter(look.idle()), stop: () => triesAfter(look.stop()) };

		/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
		async function claim(): Promise<number> {
			const limit = CONCURRENCY - tries.size;
			// The end of a try nudges, and so makes room.
			if (limit === 0) return LONGEST_PAUSE;
			const start = performance.now();
			try {
				const claim = { channel: channel.name, owner, limit, lease: LEASE };
				const { claimed, untilDue = Infinity } = await watchStore(log, () => store.claim(claim));
				for (const delivery of claimed) {
					const key = `${delivery.id} ${delivery.tries}`;
					// The lease of this very try has ended, and the try goes on.
					if (tries.has(key)) continue;
					const end = tryOnce(delivery, channel, start).finally(() => {
						tries.delete(key);
						nudge();
					});
					tries.set(key, end);
				}
				if (claimed.length === limit) return LONGEST_PAUSE;
				return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, untilDue));
			} catch {
				return STORE_PAUSE;
			}
		}
	}

	/** Tries a claimed delivery once, and reports the result to the store, the log and the other channels. Never rejects. */
	async function tryOnce(claimed: ClaimedDelivery, channel: Channel, start: number): Promise<void> {
		const delivery = await judge(claimed, start + LATEST_START);
		if (!delivery) return;
		// Not before: a held lead is confirmed when it was released.
		if (visitorMail && delivery.kind === 'lead' && delivery.tries === 0) {
			// One after the other: each counts those before it.
			confirmed = confirmed.then(() => saveConfirmation(delivery, store, log));
			if (await confirmed) saved();
		}
		// The lease may end while it is sent, and somebody else send it too. The next claim tries it.
		if (performance.now() > start + LATEST_START) return;
		// An entry that cannot be made into a message is parked like any other, and not tried for ever.
		const message = entryMessage(delivery, store, team, retention * 1000 - DECISION_TIME_MS);
		const sent = await sendWithin(TRY_TIMEOUT_MS, channel, message, cutOff.signal);
		// We ended the try ourselves, so it is no failure of the channel. The lease ends, and the next process to claim it tries again.
		if (!sent.ok && cutOff.signal.aborted) return;
		const tries = delivery.tries + 1;
		const result = resultOf(sent, tries, schedule, incidentOf(store, channel.name));
		const counts = await mark(delivery, result, start + LEASE);
		// A result that could not be stored comes again when the lease ends.
		const outcome = counts || sent.ok ? result.state : 'waiting';
		if (delivery.kind !== 'canary') deliveryTried.publish({ channel: channel.name, outcome });
		// An operator who keeps no delivered lead wants it deleted at once, not within the hour.
		if (sent.ok && retention === 0) purges.nudge();
		const parked = result.state === 'parked';
		// A notice that fails makes no other.
		if (!sent.ok && counts && (tries >= PATIENCE || parked || sent.outlook === 'lasting') && delivery.kind === 'lead')
			await tellOthers(channel.name, sent.reason, parked);
	}

	/** Returns the delivery with the lead's judgement; undefined if there is nothing to deliver now. */
	async function judge(claimed: ClaimedDelivery, until: number): Promise<ClaimedDelivery | undefined> {
		const { id, kind, channel } = claimed;
		const received = contentOf(claimed) as ReceivedLead;
		if (!received.lead || claimed.spam || !check) return claimed;
		try {
			if (kind === 'canary') {
				const { verdict } = await check.judge(received);
				// Where every lead is taken for spam, it does not arrive.
				return verdict === 'clear' ? claimed : undefined;
			}
			const spam = await persist(() => {
				const judging = judgements.get(id) ?? check.judgeStored(claimed, store).finally(() => judgements.delete(id));
				judgements.set(id, judging);
				return judging;
			}, until);
			if (spam?.verdict === 'held') quarantined();
			return spam && spam.verdict !== 'held' ? { ...claimed, spam } : undefined;
		} catch (error) {
			log.error({ err: error, lead: id, channel }, 'A lead cannot be judged: it is delivered all the same.');
			return claimed;
		}
	}

	/** Stores the result of a try. @returns false if the result does not count, or the store failed until the end */
	async function mark(delivery: ClaimedDelivery, result: DeliveryResult, until: number): Promise<boolean> {
		const { id, kind, channel } = delivery;
		const counts = await persist(async () => {
			if (kind === 'notice' && result.state === 'sent') await store.markTold(id);
			return store.mark({ id, channel, owner }, result);
		}, until);
		if (counts !== undefined) report(delivery, result, counts, log);
		return counts === true;
	}

	/** Does work of a try in the store, again and again until this time. @returns undefined: the store failed until then */
	async function persist<Result>(work: () => Promise<Result>, until: number): Promise<Result | undefined> {
		do {
			try {
				return await watchStore(log, work);
			} catch (error) {
				if (!(error instanceof StoreError)) throw error;
			}
			await wait(STORE_PAUSE, undefined, { signal: cutOff.signal }).catch(() => {});
		} while (performance.now() < until && !cutOff.signal.aborted);
		return undefined;
	}

	/** Tells the other channels that one is in trouble, or it if there is no other, unless it was told within a week and has not worked since. */
	async function tellOthers(channel: string, reason: string, parked: boolean): Promise<void> {
		const told = othersThan(channel, noticeChannels);
		try {
			if (!(await saveNotice(store, channel, { channel, reason, parked }, told, WEEK_MS))) return;
			log.error({ channel, reason, told }, 'A channel keeps failing. Leads for it are kept.');
			saved();
		} catch (error) {
			log.error({ err: error, channel }, 'The store cannot save that a channel fails.');
		}
	}
}

/**
 * Returns what becomes of a delivery. The next try is never sooner than a receiver asks, unless that is more than a day.
 * @param tries how many there were, with this one @param ends the mark of trouble that ends when it is sent
 */
export function resultOf(sent: SendResult, tries: number, schedule: number[], ends: string): DeliveryResult {
	if (sent.ok) return { state: 'sent', note: sent.note, ends };
	const { outlook, reason, retryAfter = 0 } = sent;
	const wait = schedule[tries - 1];
	if (outlook === 'final' || wait === undefined) return { state: 'parked', reason };
	const moved = wait * (1 + JITTER * (2 * Math.random() - 1));
	const asked = Math.min(retryAfter, LONGEST_REQUEST);
	return { state: 'waiting', wait: Math.round(Math.max(moved, asked) * 1000), reason };
}

/** The random part of a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** In seconds: the longest wait that a receiver may ask for. A longer one is a mistake, and nobody would hear of the lead. */
const LONGEST_REQUEST = 24 * 3600;

function report({ id, kind, channel, tries }: ClaimedDelivery, result: DeliveryResult, counts: boolean, log: Logger): void {
	const about = { [kind]: id, channel, tries: tries + 1 };
	if (result.state === 'sent') return log.info({ ...about, note: result.note }, 'Delivered.');
	const { reason } = result;
	if (!counts) return log.warn({ ...about, reason }, 'Not delivered, and somebody else has it now.');
	if (result.state === 'parked')
		return log.error({ ...about, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
	log.warn({ ...about, reason, nextTry: new Date(Date.now() + result.wait).toISOString() }, 'Not delivered yet.');
}
