import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, type SendResult, sendWithin, TRY_TIMEOUT } from '../channels/channel.ts';
import { deliveryTried } from '../events.ts';
import type { Judging } from './judging.ts';
import { type ClaimedDelivery, type DeliveryResult, type LeadStore, StoreError } from '../store/store.ts';
import { entryMessage } from '../message/entry-message.ts';
import type { Incidents } from './incidents.ts';
import { type RetrySchedule, waitAfter } from './retry-schedule.ts';

export interface TryOptions {
	channel: Channel;
	store: LeadStore;
	/** Names the process that holds the delivery's lease. */
	owner: string;
	schedule: RetrySchedule;
	/** The language of the sales team: one of the published languages. */
	language: string;
	/** The time zone of the sales team. Undefined: UTC. */
	timeZone?: string | undefined;
	incidents: Incidents;
	/** Judges leads before their first delivery. Undefined: nobody does. */
	judging?: Judging | undefined;
	/** Confirms a lead to the visitor, which never rejects. Undefined: nobody does. */
	confirm?: ((lead: ClaimedDelivery) => Promise<void>) | undefined;
	log: Logger;
	/** Called when the channel has an entry. */
	onDelivered: () => void;
	/** Nudges the lanes of all channels, because the others have a notice to deliver. */
	nudgeAll: () => void;
	/** Aborted when the process stops: then a failing store is not waited for. */
	stopping: AbortSignal;
	/** Ends the try, because the process has to end. */
	cutOff: AbortSignal;
}

/** In milliseconds: how long a claimed delivery is ours. A try ends well before, so that no other process tries it meanwhile. */
export const LEASE = 2 * TRY_TIMEOUT;
/** In milliseconds: the pause after the store failed. */
export const STORE_PAUSE = 1000;

/** Tries a claimed delivery once, and reports the result to the store, the log and the other channels. */
export async function tryDelivery(delivery: ClaimedDelivery, options: TryOptions): Promise<void> {
	const judged = await judgedFirst(delivery, options);
	if (!judged) return;
	// Not before: a held lead is confirmed when it was released.
	if (judged.kind === 'lead' && judged.tries === 0) await options.confirm?.(judged);
	await deliver(judged, options);
}

/** Returns the delivery with the lead's judgement; undefined if there is nothing to deliver now. */
async function judgedFirst(
	claimed: ClaimedDelivery,
	{ judging, log, channel }: TryOptions,
): Promise<ClaimedDelivery | undefined> {
	if (claimed.kind !== 'lead' || claimed.spam || !judging) return claimed;
	try {
		const spam = await judging(claimed);
		return spam.verdict === 'held' ? undefined : { ...claimed, spam };
	} catch (error) {
		log.error({ err: error, lead: claimed.id, channel: channel.name }, 'A lead cannot be judged.');
		// If the store works, the lead is unreadable: `deliver` fails too, until it is parked.
		return error instanceof StoreError ? undefined : claimed;
	}
}

async function deliver(claimed: ClaimedDelivery, options: TryOptions): Promise<void> {
	const { channel, store, language, timeZone, schedule, incidents, cutOff } = options;
	// An entry that cannot be made into a message is parked like any other, and not tried for ever.
	const message = entryMessage(claimed, store, language, timeZone);
	const sent = await sendWithin(TRY_TIMEOUT, channel, message, cutOff);
	// We ended the try ourselves, so it is no failure of the channel. The lease ends, and the next process to claim it tries again.
	if (!sent.ok && cutOff.aborted) return;
	const tries = claimed.tries + 1;
	const result = resultOf(sent, schedule, tries, incidents.keyOf(channel.name));
	const counts = await mark(claimed, result, options);
	deliveryTried.publish({ channel: channel.name, outcome: counts || sent.ok ? result.state : 'waiting' });
	if (result.state === 'sent') {
		options.onDelivered();
	} else if (counts) {
		const failure = { parked: result.state === 'parked', tries, reason: result.reason };
		if (await incidents.failed(channel.name, failure)) options.nudgeAll();
	}
}

function resultOf(sent: SendResult, schedule: RetrySchedule, tries: number, ends: string | undefined): DeliveryResult {
	if (sent.ok) return { state: 'sent', note: sent.note, ends };
	const { permanent, reason, retryAfter } = sent;
	const wait = permanent ? undefined : waitAfter(schedule, tries, retryAfter);
	return wait === undefined ? { state: 'parked', reason } : { state: 'waiting', wait, reason };
}

/**
 * Stores the result of a try. A delivery without one is tried again when its lease ends, so the store has until then to recover.
 *
 * @returns false if the result does not count, or the store failed until the end
 */
async function mark(claimed: ClaimedDelivery, result: DeliveryResult, options: TryOptions): Promise<boolean> {
	const { channel, store, owner, log, stopping } = options;
	const until = performance.now() + LEASE - TRY_TIMEOUT;
	do {
		try {
			if (claimed.kind === 'notice' && result.state === 'sent') await store.markTold(claimed.id);
			const counts = await store.mark({ ...claimed, owner }, result);
			report(claimed, result, counts, log);
			return counts;
		} catch (error) {
			log.error(
				{ err: error, [claimed.kind]: claimed.id, channel: channel.name },
				'The store cannot save the result of a delivery.',
			);
		}
		await wait(STORE_PAUSE, undefined, { signal: stopping }).catch(() => {});
	} while (performance.now() < until && !stopping.aborted);
	return false;
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
