import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Channel, type Delivery, type Recipients, sendWithin, TRY_TIMEOUT } from '../channels/channel.ts';
import { tried } from '../events.ts';
import type { ClaimedDelivery, DeliveryResult, DeliveryState, LeadStore } from '../store/store.ts';
import { entryMessage } from '../message/entry-message.ts';
import type { Incidents } from './incidents.ts';
import { type RetrySchedule, waitAfter } from './retry-schedule.ts';

export interface AttemptOptions {
	channel: Channel;
	store: LeadStore;
	/** Names this process, in whose lease the delivery is. */
	owner: string;
	schedule: RetrySchedule;
	/** In which the sales team reads of leads: one of those that there are. */
	language: string;
	incidents: Incidents;
	log: Logger;
	/** Called when the channel has a lead. */
	delivered: () => void;
	/** Nudges the lanes of all channels: there is news to tell over the others. */
	nudgeAll: () => void;
	/** The process stops: a store that fails is not waited for. */
	stopping: AbortSignal;
	/** Ends the try: the process has to go. */
	cutOff: AbortSignal;
}

/** In milliseconds: how long a claimed delivery is left to us. A try ends well before, so that nobody else takes it up meanwhile. */
export const LEASE = 2 * TRY_TIMEOUT;
/** In milliseconds: how long to leave a store alone that has failed. */
export const STORE_PAUSE = 1000;

/** Tries a claimed delivery once, and tells the store, the log and the other channels what became of it. */
export async function attempt(claimed: ClaimedDelivery, options: AttemptOptions): Promise<void> {
	const { channel, store, language, schedule, incidents, log, cutOff } = options;
	// An entry that no message can be made of ends up parked like any other, and is not tried for ever.
	const message = entryMessage(claimed, store, language);
	const settled = JSON.parse(claimed.recipients) as Recipients;
	const delivery = await sendWithin(TRY_TIMEOUT, channel, message, { cutOff, settled });
	// We ended it ourselves: no failure of the channel. The lease is given back, and whoever claims it next tries again.
	if (!delivery.ok && cutOff.aborted) return;
	const tries = claimed.tries + 1;
	const result = resultOf(delivery, schedule, tries, settled);
	const state = await mark(claimed, result, options);
	tried.publish({ channel: channel.name, outcome: state ?? (delivery.ok ? 'sent' : 'waiting') });
	if (delivery.ok && delivery.note)
		log.warn({ [claimed.kind]: claimed.id, channel: channel.name, note: delivery.note }, 'A note on a delivery.');
	if (result.state === 'sent') {
		options.delivered();
		await incidents.worked(channel.name);
	} else if (state && (await incidents.failed(channel.name, { parked: state === 'parked', tries, reason: result.reason })))
		options.nudgeAll();
}

function resultOf(delivery: Delivery, schedule: RetrySchedule, tries: number, settled: Recipients): DeliveryResult {
	if (delivery.ok) return { state: 'sent', note: delivery.note };
	const { permanent, reason, retryAfter, recipients = settled } = delivery;
	const wait = permanent ? undefined : waitAfter(schedule, tries, retryAfter);
	if (wait !== undefined) return { state: 'waiting', wait, reason, recipients: JSON.stringify(recipients) };
	// When the operator retries it, those that have refused it are asked again.
	const taken = Object.entries(recipients).filter(([, state]) => state === 'taken');
	return { state: 'parked', reason, recipients: JSON.stringify(Object.fromEntries(taken)) };
}

/**
 * What is not marked is tried again when the lease ends, so the store is given until then to come back.
 *
 * @returns the state that the delivery has now; undefined where the result does not count
 */
async function mark(
	claimed: ClaimedDelivery,
	result: DeliveryResult,
	options: AttemptOptions,
): Promise<DeliveryState | undefined> {
	const { channel, store, owner, log, stopping } = options;
	const until = performance.now() + LEASE - TRY_TIMEOUT;
	do {
		try {
			if (claimed.kind === 'notice' && result.state === 'sent') await store.markTold(claimed.id);
			const state = await store.mark({ ...claimed, owner }, result);
			report(claimed, result, state, log);
			return state;
		} catch (error) {
			log.error({ err: error, lead: claimed.id, channel: channel.name }, 'The store cannot note what became of a delivery.');
		}
		await wait(STORE_PAUSE, undefined, { signal: stopping }).catch(() => {});
	} while (performance.now() < until && !stopping.aborted);
	return undefined;
}

function report(
	{ id, kind, channel, tries }: ClaimedDelivery,
	result: DeliveryResult,
	state: DeliveryState | undefined,
	log: Logger,
): void {
	const about = { [kind]: id, channel, tries: tries + 1 };
	if (result.state === 'sent') return log.info(about, 'Delivered.');
	const { reason } = result;
	if (state === undefined) return log.warn({ ...about, reason }, 'Not delivered, and somebody else has it now.');
	if (state === 'parked') return log.error({ ...about, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
	if (result.state === 'parked')
		return log.warn({ ...about, reason }, 'Not delivered. It is tried again, as the operator wanted.');
	log.warn({ ...about, reason, nextTry: new Date(Date.now() + result.wait).toISOString() }, 'Not delivered yet.');
}
