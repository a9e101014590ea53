import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, type SendResult, sendWithin, TRY_TIMEOUT } from '../channels/channel.ts';
import { CONFIRMATION } from '../channels/email.ts';
import { deliveryTried } from '../events.ts';
import { keyedHash } from '../keyed-hash.ts';
import { entryMessage } from '../message/entry-message.ts';
import { type Notice, ownEntry } from '../message/notice.ts';
import { type ClaimedDelivery, type DeliveryResult, type LeadStore, StoreError } from '../store/store.ts';
import { type BackgroundWork, backgroundWork } from './background-work.ts';
import { type Confirm, confirmLeads } from './confirming.ts';
import { judgeStored, type Judging, type SpamPolicy } from './judging.ts';
import { purgeEntries, tellOfQuarantine } from './upkeep.ts';

/** Delivers the store's entries to the channels, until each channel has them or refuses them for good, and looks after those that stay. */
export interface Outbox {
	/** Says that a lead was saved: looks for due deliveries. */
	saved(): void;
	/** Says that something was put into quarantine: tells the sales team, and deletes what is too much. */
	quarantined(): void;
	/**
	 * Tries due deliveries, and resolves when each that there was room for was tried once, or after {@link TRY_LIMIT}. For a process
	 * that its host may freeze as soon as it has answered.
	 */
	tryDue(): Promise<void>;
	/** Lets tries in flight end, cuts off those that take longer than `stopGrace`, and gives up the leases on the rest. */
	stop(): Promise<void>;
}

export interface OutboxOptions {
	store: LeadStore;
	/** Those that deliver leads. */
	channels: Channel[];
	/** Confirms leads to visitors. Undefined: nobody gets a confirmation. */
	visitorMail?: Channel | undefined;
	/** The wait after each failed try, in seconds. After the last wait there is one more try; then the delivery is parked. */
	schedule: number[];
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	/** The language of the sales team: one of the published languages. */
	language: string;
	/** The time zone of the sales team. Undefined: UTC. */
	timeZone?: string | undefined;
	/** Undefined: nobody judges leads. */
	spamPolicy?: SpamPolicy | undefined;
	/** Whether this process removes deleted rows from the files. Otherwise the database does. */
	scrubs: boolean;
	/** Whether the hourly work is due now. False: this process did it within the hour, for an outbox before this one. */
	fresh?: boolean;
	log: Logger;
	/** In milliseconds: how long tries may continue when the process stops. */
	stopGrace?: number | undefined;
}

/** In milliseconds: how long tries may continue when the process stops, unless told otherwise. */
const STOP_GRACE = 8000;
/** In milliseconds: hosts end a function that takes much longer. */
const TRY_LIMIT = 8000;
/** In milliseconds. */
const HOUR = 3600_000;
/** The most tries that a channel may have in flight. */
const CONCURRENCY = 8;
/** In milliseconds: the longest pause between two looks, because another instance may leave a delivery behind. */
const LONGEST_PAUSE = 15_000;
/** In milliseconds: the shortest pause. A due delivery that was not claimed is being claimed by another instance. */
const SHORTEST_PAUSE = 50;
/** In milliseconds: the pause after the store failed. */
const STORE_PAUSE = 1000;
/** In milliseconds: how long a claimed delivery is ours. A try ends well before, so that no other process tries it meanwhile. */
const LEASE = 2 * TRY_TIMEOUT;
/** A channel is in trouble when this many tries of one delivery failed, or when one is parked. */
const PATIENCE = 3;
/** In milliseconds: the time between two notices about the same trouble. */
const REMINDER = 7 * 24 * HOUR;

/** Opens the outbox of a store, and begins to deliver. @throws {StoreError} the store cannot be read */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
	if (options.fresh !== false) await reportStranded(options);
	return new StoreOutbox(options);
}

/** Logs the channels that have leads to deliver but are not in the settings: nothing tries them. Confirmations end by themselves. */
async function reportStranded({ store, channels, log }: OutboxOptions): Promise<void> {
	const configured = new Set([CONFIRMATION, ...channels.map(({ name }) => name)]);
	for (const channel of await store.pendingChannels())
		if (!configured.has(channel))
			log.warn(
				{ channel },
				'Leads wait for a channel that is not configured: configure it again, or run npm run leads -- retry --parked.',
			);
}

/** One channel's part of the outbox: a slow channel delays no other. */
interface Lane {
	channel: Channel;
	/** Looks for due deliveries. */
	look: BackgroundWork;
	/** By the id of the entry. */
	inFlight: Map<string, { tries: number; end: Promise<void> }>;
	/** Looks again later. */
	timer?: NodeJS.Timeout;
}

class StoreOutbox implements Outbox {
	readonly #options: OutboxOptions;
	/** Names this process, as the holder of leases. */
	readonly #owner = randomUUID();
	readonly #lanes: Lane[];
	/** The channels that deliver notices. */
	readonly #noticeChannels: string[];
	readonly #judge: Judging | undefined;
	readonly #confirm: Confirm | undefined;
	readonly #notices: BackgroundWork;
	readonly #purges: BackgroundWork;
	readonly #hourly: NodeJS.Timeout;
	/** Aborted when the process stops: then a failing store is not waited for. */
	readonly #stopping = new AbortController();
	/** Ends the tries in flight, because the process has to end. */
	readonly #cutOff = new AbortController();
	/** Whether there was more to do since `tryDue` looked. */
	#more = false;

	constructor(options: OutboxOptions) {
		const { store, channels, visitorMail, spamPolicy, fresh = true, log } = options;
		this.#options = options;
		this.#noticeChannels = channels.filter(({ leadsOnly }) => !leadsOnly).map(({ name }) => name);
		this.#judge = spamPolicy && judgeStored(spamPolicy, store, log, () => this.quarantined());
		this.#confirm = visitorMail && confirmLeads(store, log);
		this.#notices = backgroundWork(tellOfQuarantine({ store, channels: this.#noticeChannels, log, onSaved: () => this.saved() }));
		this.#purges = backgroundWork(purgeEntries(options));
		this.#lanes = [...channels, visitorMail].filter((channel) => channel !== undefined).map((channel) => this.#openLane(channel));
		this.#hourly = setInterval(() => this.quarantined(), HOUR).unref();
		if (fresh) this.quarantined();
		this.saved();
	}

	saved(): void {
		this.#more = true;
		for (const { look } of this.#lanes) look.nudge();
	}

	quarantined(): void {
		this.#more = true;
		this.#notices.nudge();
		this.#purges.nudge();
	}

	async tryDue(): Promise<void> {
		await Promise.race([this.#tryAll(), wait(TRY_LIMIT, undefined, { ref: false })]);
	}

	/** A try may hold a lead or confirm it, or fail: then a notice or a confirmation is due. */
	async #tryAll(): Promise<void> {
		do {
			this.#more = false;
			await this.#notices.idle();
			await Promise.all(
				this.#lanes.map(async (lane) => {
					lane.look.nudge();
					await lane.look.idle();
					await endOfTries(lane);
				}),
			);
		} while (this.#more);
	}

	async stop(): Promise<void> {
		clearInterval(this.#hourly);
		await this.#notices.stop();
		this.#stopping.abort();
		const lastCall = setTimeout(() => this.#cutOff.abort(), this.#options.stopGrace ?? STOP_GRACE);
		await Promise.all(
			this.#lanes.map(async (lane) => {
				clearTimeout(lane.timer);
				await lane.look.stop();
				await endOfTries(lane);
			}),
		);
		clearTimeout(lastCall);
		await this.#options.store.endLeases(this.#owner);
		await this.#purges.stop();
	}

	#openLane(channel: Channel): Lane {
		const look = backgroundWork(async () => {
			clearTimeout(lane.timer);
			const pause = await this.#claim(lane);
			if (!this.#stopping.signal.aborted) lane.timer = setTimeout(look.nudge, pause).unref();
		});
		const lane: Lane = { channel, look, inFlight: new Map() };
		return lane;
	}

	/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
	async #claim({ channel, inFlight, look }: Lane): Promise<number> {
		const { store, log } = this.#options;
		const limit = CONCURRENCY - inFlight.size;
		// The end of a try nudges, and so makes room.
		if (limit === 0) return LONGEST_PAUSE;
		const start = (delivery: ClaimedDelivery) => {
			const end = this.#try(delivery, channel).finally(() => {
				inFlight.delete(delivery.id);
				look.nudge();
			});
			inFlight.set(delivery.id, { tries: delivery.tries, end });
		};
		try {
			const claimed = await store.claim({ channel: channel.name, owner: this.#owner, limit, lease: LEASE });
			for (const delivery of claimed) {
				const earlier = inFlight.get(delivery.id);
				if (!earlier) start(delivery);
				// Its result is stored, and it is due again. Otherwise the lease of the try has ended, and the try goes on.
				else if (delivery.tries > earlier.tries) void earlier.end.then(() => start(delivery));
			}
			if (claimed.length === limit) return LONGEST_PAUSE;
			const untilDue = await store.untilDue(channel.name);
			return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, untilDue ?? Infinity));
		} catch (error) {
			log.error({ err: error, channel: channel.name }, 'The store cannot say which deliveries are due. Asking again.');
			return STORE_PAUSE;
		}
	}

	/** Tries a claimed delivery once, and reports the result to the store, the log and the other channels. Never rejects. */
	async #try(claimed: ClaimedDelivery, channel: Channel): Promise<void> {
		const { store, language, timeZone, schedule, retention } = this.#options;
		const delivery = await this.#judgeFirst(claimed);
		if (!delivery) return;
		// Not before: a held lead is confirmed when it was released.
		if (delivery.kind === 'lead' && delivery.tries === 0 && (await this.#confirm?.(delivery))) this.saved();
		// An entry that cannot be made into a message is parked like any other, and not tried for ever.
		const message = entryMessage(delivery, store, language, timeZone);
		const sent = await sendWithin(TRY_TIMEOUT, channel, message, this.#cutOff.signal);
		// We ended the try ourselves, so it is no failure of the channel. The lease ends, and the next process to claim it tries again.
		if (!sent.ok && this.#cutOff.signal.aborted) return;
		const tries = delivery.tries + 1;
		const result = resultOf(sent, schedule, tries, this.#troubleOf(channel.name));
		const counts = await this.#mark(delivery, result);
		deliveryTried.publish({ channel: channel.name, outcome: counts || sent.ok ? result.state : 'waiting' });
		// An operator who keeps no delivered lead wants it deleted at once, not within the hour.
		if (result.state === 'sent' && retention === 0) this.#purges.nudge();
		if (counts && result.state !== 'sent' && (tries >= PATIENCE || result.state === 'parked'))
			await this.#tellOthers(channel.name, result.reason, result.state === 'parked');
	}

	/** Returns the delivery with the lead's judgement; undefined if there is nothing to deliver now. */
	async #judgeFirst(claimed: ClaimedDelivery): Promise<ClaimedDelivery | undefined> {
		if (claimed.kind !== 'lead' || claimed.spam || !this.#judge) return claimed;
		try {
			const spam = await this.#judge(claimed);
			return spam.verdict === 'held' ? undefined : { ...claimed, spam };
		} catch (error) {
			this.#options.log.error({ err: error, lead: claimed.id, channel: claimed.channel }, 'A lead cannot be judged.');
			// If the store works, the lead is unreadable: to deliver it fails too, until it is parked.
			return error instanceof StoreError ? undefined : claimed;
		}
	}

	/**
	 * Stores the result of a try. A delivery without one is tried again when its lease ends, so the store has until then to recover.
	 *
	 * @returns false if the result does not count, or the store failed until the end
	 */
	async #mark(claimed: ClaimedDelivery, result: DeliveryResult): Promise<boolean> {
		const { store, log } = this.#options;
		const { id, kind, channel } = claimed;
		const { signal } = this.#stopping;
		const until = performance.now() + LEASE - TRY_TIMEOUT;
		do {
			try {
				if (kind === 'notice' && result.state === 'sent') await store.markTold(id);
				const counts = await store.mark({ id, channel, owner: this.#owner }, result);
				report(claimed, result, counts, log);
				return counts;
			} catch (error) {
				log.error({ err: error, [kind]: id, channel }, 'The store cannot save the result of a delivery.');
			}
			await wait(STORE_PAUSE, undefined, { signal }).catch(() => {});
		} while (performance.now() < until && !signal.aborted);
		return false;
	}

	/** Returns the mark of a channel's trouble, which ends with its next delivery. Nobody watches confirmations. */
	#troubleOf(channel: string): string | undefined {
		return channel === CONFIRMATION ? undefined : keyedHash(this.#options.store.secret, 'incident', channel);
	}

	/** Tells the other channels that one is in trouble, and again each week. The store knows who was told: for all instances, and over restarts. */
	async #tellOthers(channel: string, reason: string, parked: boolean): Promise<void> {
		const { store, log } = this.#options;
		const key = this.#troubleOf(channel);
		if (key === undefined) return;
		const notice: Notice = { id: randomUUID(), receivedAt: new Date().toISOString(), channel, reason, parked };
		const told = this.#noticeChannels.filter((name) => name !== channel);
		try {
			if ((await store.insert(ownEntry(notice, told, { key, lifetime: REMINDER }))) !== 'inserted') return;
			log.error({ channel, reason, told }, 'A channel keeps failing. Leads for it are kept.');
			this.saved();
		} catch (error) {
			log.error({ err: error, channel }, 'The store cannot save that a channel fails.');
		}
	}
}

const endOfTries = ({ inFlight }: Lane) => Promise.all([...inFlight.values()].map(({ end }) => end));

/** @param ends the mark that ends with a delivery */
function resultOf(sent: SendResult, schedule: number[], tries: number, ends: string | undefined): DeliveryResult {
	if (sent.ok) return { state: 'sent', note: sent.note, ends };
	const { permanent, reason, retryAfter } = sent;
	const wait = permanent ? undefined : waitAfter(schedule, tries, retryAfter);
	return wait === undefined ? { state: 'parked', reason } : { state: 'waiting', wait, reason };
}

/** The random part of a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** In seconds: the longest wait that a receiver may ask for. A longer one is a mistake, and nobody would hear of the lead. */
const LONGEST_REQUEST = 24 * 3600;

/**
 * Returns the wait after the failed try of this number (the first is 1), in milliseconds, or undefined after the last.
 *
 * @param retryAfter the receiver's request, in seconds: the next try is never sooner, unless that is more than a day
 */
export function waitAfter(schedule: number[], tries: number, retryAfter = 0): number | undefined {
	const wait = schedule[tries - 1];
	if (wait === undefined) return undefined;
	const moved = wait * (1 + JITTER * (2 * Math.random() - 1));
	return Math.round(Math.max(moved, Math.min(retryAfter, LONGEST_REQUEST)) * 1000);
}

function report({ id, kind, channel, tries }: ClaimedDelivery, result: DeliveryResult, counts: boolean, log: Logger): void {
	const about = { [kind]: id, channel, tries: tries + 1 };
	if (result.state === 'sent') return log.info({ ...about, note: result.note }, 'Delivered.');
	const { reason } = result;
	if (!counts) return log.warn({ ...about, reason }, 'Not delivered, and somebody else has it now.');
	if (result.state === 'parked')
		return log.error({ ...about, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
	log.warn({ ...about, reason, nextTry: new Date(Date.now() + result.wait).toISOString() }, 'Not delivered yet.');
}
