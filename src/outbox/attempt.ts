import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { abortAfter, type Channel, type SendResult, sendWithin, TRY_TIMEOUT_MS } from '../channels/channel.ts';
import { entryMessage, isKnown } from '../channels/entry.ts';
import { contentOf, type ReceivedLead, type Team } from '../channels/message.ts';
import { unknownIn } from '../channels/smtp.ts';
import { domainOf } from '../lead/email-address.ts';
import type { Judgement } from '../lead/judgement.ts';
import { events } from '../lead/lead.ts';
import { STORE_PAUSE_MS, StoreError, watchStore } from '../store/database.ts';
import { kinds } from '../store/kinds.ts';
import { MOST_CONFIRMATIONS } from '../store/quarantine.ts';
import type { ClaimedDelivery, Decision, DeliveryResult, LeadStore } from '../store/store.ts';
import { confirmationsOf } from './confirming.ts';
import type { SpamCheck } from './judging.ts';
import { takesNoMail } from './mail-domain.ts';
import { DECISION_TIME_MS, noticeMark, type Tell, tellOfWrongAddress, tellOfTrouble } from './upkeep.ts';

/** How long nobody else may claim a delivery. An attempt that the store does not hold up ends before, with its result stored. */
export const LEASE_MS = 120_000;
/** Long enough to judge a lead, for 20 seconds at most, and then to send it for as long as a try may take. */
const ATTEMPT_MS = 112_000;
/** A channel is in trouble when this many tries of one delivery failed, when one is parked, or when a failure looks like one of our settings. */
const MOST_FAILED = 3;

export interface AttemptOptions {
	store: LeadStore;
	/** Those that deliver leads. */
	channels: Channel[];
	/** Confirms leads to visitors. Undefined: no lead is confirmed. */
	visitorMail?: Channel;
	/** The wait after each failed try, in seconds. After the last wait there is one more try; then the delivery is parked. */
	schedule: number[];
	/** How long after it came a delivered lead is kept, in seconds. */
	retention: number;
	team: Team;
	/** Undefined: leads are not judged. */
	spam?: SpamCheck;
	log: Logger;
}

/**
 * Returns what tries a claimed delivery once: it judges, confirms and sends a lead, and reports to the store, the log and other channels.
 * @param owner of the lease @param outbox what it does when something was saved, held, or delivered and is not kept, or is worth a notice
 */
export function attemptWith(
	{ store, visitorMail, team, schedule, retention, spam: check, log }: AttemptOptions,
	owner: string,
	cutOff: AbortSignal,
	outbox: Record<'saved' | 'quarantined' | 'purge', () => void> & { tell: (news: Tell) => Promise<void> },
) {
	/** By the id of the lead: several channels may claim it at the same moment. */
	const decisions = new Map<string, Promise<Decision | undefined>>();
	/** Gets no links to a lead that is deleted on delivery, before anybody presses one. */
	const leadReader = retention === 0 ? { ...team, linkSecret: undefined } : team;

	/** @param start when the claim began, by `performance.now()`. Never rejects */
	return async function attempt(claimed: ClaimedDelivery, channel: Channel, start: number): Promise<void> {
		// A later version, which runs beside this one, has saved it: its processes know how to send it.
		if (!isKnown(claimed)) return;
		const rest = () => start + ATTEMPT_MS - performance.now();
		using budget = abortAfter(rest(), cutOff);
		const received = leadIn(claimed);
		// Meanwhile the lead is judged.
		const looking = received && claimed.kind === 'lead' && takesNoMail(domainOf(received.lead.email));
		const delivery = received ? await decide(claimed, received, budget.signal) : claimed;
		const noMail = await looking;
		// Somebody else might send it too, while we do. The next claim tries it.
		if (!delivery || rest() < TRY_TIMEOUT_MS) return;
		const reader = delivery.kind === 'lead' ? leadReader : team;
		// An entry that cannot be made into a message is parked like any other, and not tried for ever.
		const message = entryMessage({ ...delivery, noMail }, store, reader, retention * 1000 - DECISION_TIME_MS);
		const sent = await sendWithin(TRY_TIMEOUT_MS, channel, message, budget.signal);
		// We ended the try ourselves, so it is no failure of the channel. The lease ends, and the next process to claim it tries again.
		if (!sent.ok && cutOff.aborted) return;
		const tries = delivery.tries + 1;
		const result = resultOf(sent, tries, schedule, noticeMark(store, channel.name));
		const counts = await record(delivery, result, budget.signal);
		// A delivery whose result could not be stored is tried again when the lease ends.
		const outcome = counts || sent.ok ? result.state : 'waiting';
		if (delivery.kind !== 'canary') events.emit('tried', { channel: channel.name, outcome });
		// An operator who keeps no delivered lead wants it deleted at once, not within the hour.
		if (sent.ok && retention === 0) outbox.purge();
		const unknown = sent.ok && delivery.kind === 'confirmation' && unknownIn(sent.note);
		if (unknown) await outbox.tell((board) => tellOfWrongAddress(board, delivery, unknown));
		const parked = result.state === 'parked';
		// Only a lead makes one of a channel: a notice of a notice could fail as well.
		if (!sent.ok && counts && (tries >= MOST_FAILED || parked || sent.outlook === 'lasting') && kinds[delivery.kind].isMissed)
			await outbox.tell((board) => tellOfTrouble(board, { channel: channel.name, reason: sent.reason, parked }));
	};

	/** Returns the delivery with the judgement of its lead. Undefined: there is nothing to send now. The lead is held or gone, or the store failed. */
	async function decide(claimed: ClaimedDelivery, received: ReceivedLead, signal: AbortSignal) {
		const { id, kind, channel, spam, confirmed } = claimed;
		const isJudged = !check || spam !== undefined;
		const confirms = visitorMail !== undefined && kind === 'lead' && !confirmed && (!spam || spam.verdict === 'clear');
		if (isJudged && !confirms) return claimed;
		try {
			// Nothing of it is stored. Where every lead is taken for spam, it does not arrive.
			if (kind === 'canary') {
				const { verdict } = await check!.judge(received, { isCanary: true }, signal);
				return verdict === 'clear' ? claimed : undefined;
			}
			const decision = await persist(signal, log, () => {
				const deciding = decisions.get(id) ?? judge(received, spam, confirms, signal).finally(() => decisions.delete(id));
				decisions.set(id, deciding);
				return deciding;
			});
			return decision && decision.spam?.verdict !== 'held' ? { ...claimed, spam: decision.spam } : undefined;
		} catch (error) {
			log.error({ err: error, lead: id, channel }, 'A lead cannot be judged: it is delivered all the same.');
			return claimed;
		}
	}

	/** Judges a lead unless that is done, and saves what confirms it. Rejects if the store fails. @returns undefined if the lead is gone */
	async function judge(received: ReceivedLead, spam: Judgement | undefined, confirms: boolean, signal: AbortSignal) {
		const judgement = spam ?? (await check?.judgeStored(received, store, signal));
		// An engine that was cut off has not said what it thinks. The next try asks it again.
		if (signal.aborted) return undefined;
		const confirming = confirms ? await confirmationsOf(received, store.secret) : undefined;
		const decision = await store.judge(received.id, judgement, confirming);
		if (decision?.spam?.verdict === 'held') outbox.quarantined();
		if (decision?.confirmations !== undefined) outbox.saved();
		if (decision?.confirmations === MOST_CONFIRMATIONS)
			log.warn({ confirmations: MOST_CONFIRMATIONS }, 'Many leads of the last hour were confirmed: no more are.');
		return decision;
	}

	/** Stores the result of a try. @returns false if the result does not count, or the store failed until the end */
	async function record(delivery: ClaimedDelivery, result: DeliveryResult, signal: AbortSignal): Promise<boolean> {
		const { id, kind, channel } = delivery;
		const counts = await persist(signal, log, async () => {
			if (kind === 'notice' && result.state === 'sent') await store.markNotified(id);
			return store.recordResult({ id, channel, owner }, result);
		});
		if (counts !== undefined) report(delivery, result, counts, log);
		return counts === true;
	}
}

/** Returns the lead of a delivery, which lacks nothing: it is in no quarantine. Undefined if there is none, or it is unreadable. */
function leadIn(claimed: ClaimedDelivery): ReceivedLead | undefined {
	const content = contentOf(claimed);
	return content.lead && (content as ReceivedLead);
}

/** Does work of a try in the store, again and again until it may no longer. @returns undefined: the store failed until then */
async function persist<Result>(signal: AbortSignal, log: Logger, work: () => Promise<Result>): Promise<Result | undefined> {
	do {
		try {
			return await watchStore(log, work);
		} catch (error) {
			if (!(error instanceof StoreError)) throw error;
		}
		await wait(STORE_PAUSE_MS, undefined, { signal }).catch(() => {});
	} while (!signal.aborted);
	return undefined;
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
	const moved = wait * (1 + JITTER * Math.random());
	const asked = Math.min(retryAfter, LONGEST_REQUEST);
	return { state: 'waiting', wait: Math.round(Math.max(moved, asked) * 1000), reason };
}

/** The random part of a wait, so that deliveries that failed together are not retried together. It only adds: mail servers let strangers wait for five minutes. */
const JITTER = 0.2;
/** In seconds: the longest wait that a receiver may ask for. A longer one is a mistake, and nobody would hear of the lead. */
const LONGEST_REQUEST = 24 * 3600;

function report({ id, kind, channel, tries }: ClaimedDelivery, result: DeliveryResult, counts: boolean, log: Logger): void {
	const about = { [kind]: id, channel, tries: tries + 1 };
	if (result.state === 'sent') return log.info({ ...about, note: result.note }, 'Delivered.');
	const { reason } = result;
	if (!counts) return log.warn({ ...about, reason }, 'The lease was lost, or this result is stored already. Do nothing.');
	if (result.state === 'parked')
		return log.error({ ...about, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
	log.warn({ ...about, reason, nextTry: new Date(Date.now() + result.wait).toISOString() }, 'Not delivered yet.');
}
