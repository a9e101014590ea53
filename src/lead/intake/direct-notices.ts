import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Lead } from '../lead.ts';
import { type Message, receivedNow } from '../message/message.ts';
import { faultsOf, hitJudgement } from './quarantine.ts';
import { type HeldLead, NOTICE_PAUSE, quarantineMessage } from '../message/quarantine-notice.ts';

/** The most notices that a process sends in a day ({@link NOTICE_PAUSE}). One notice at the end of that day covers the rest. */
const NOTICES = 20;
/** The most possible leads that one notice names. */
const NAMED = 500;
/** In milliseconds: the pause after a notice that no channel took. */
const RETRY = 10 * 60_000;

/**
 * `LEAD_STORE=none`: the notice is the only trace of a possible lead, and the process may be frozen or ended as soon as it has
 * answered. So the notice is sent within the request.
 */
export function directNotices(deliver: (message: Message) => Promise<boolean>, log: Logger) {
	let named: HeldLead[] = [];
	let number = 0;
	let sent = 0;
	let dayEnd = 0;
	let quietUntil = 0;
	let timer: NodeJS.Timeout | undefined;
	const onTheWay = new Set<Promise<void>>();

	return {
		/**
		 * Sends a notice of a honeypot hit if it is a possible lead, and waits until the channels have it.
		 *
		 * @param kept the fields that could be read
		 * @returns whether it tried to send a notice: not for other hits, nor after too many notices, nor soon after one failed
		 */
		async add(kept: Partial<Lead>): Promise<boolean> {
			const faults = faultsOf(kept);
			log.warn({ faults }, 'A submission filled the honeypot. Without a store it is not kept.');
			if (faults.length > 0) return false;
			number += 1;
			const { name, clinic, email } = kept as Lead;
			if (named.length < NAMED) named.push({ ...receivedNow({ name, clinic, email } as Lead), spam: hitJudgement });
			else if (number === NAMED + 1)
				log.error('More possible leads were taken for spam than a notice names. Set LEAD_STORE to keep them.');
			return tellIfDue();
		},
		/** Sends the notices that are due, and waits for those under way. */
		async tellDue(): Promise<void> {
			void tellIfDue();
			await Promise.all(onTheWay);
		},
		/** Sends a last notice of all that are left, and waits for it. */
		async stop(): Promise<void> {
			clearTimeout(timer);
			if (number > 0) void tell();
			await Promise.all(onTheWay);
		},
	};

	async function tellIfDue(): Promise<boolean> {
		// Not left to the timer alone: a function may be frozen, and its timers with it.
		if (number === 0 || performance.now() < quietUntil) return false;
		await tell();
		return true;
	}

	function tell(): Promise<void> {
		const telling = send().finally(() => onTheWay.delete(telling));
		onTheWay.add(telling);
		return telling;
	}

	async function send(): Promise<void> {
		const notice = { id: randomUUID(), receivedAt: new Date().toISOString(), number };
		const leads = named;
		[named, number] = [[], 0];
		if (performance.now() >= dayEnd) [sent, dayEnd] = [0, performance.now() + NOTICE_PAUSE];
		sent += 1;
		if (sent >= NOTICES) pauseUntil(dayEnd);
		if (await deliver(quarantineMessage(notice, leads, { kept: false }))) return;
		named = [...leads, ...named].slice(0, NAMED);
		number += notice.number;
		pauseUntil(Math.max(quietUntil, performance.now() + RETRY));
	}

	function pauseUntil(time: number): void {
		clearTimeout(timer);
		quietUntil = time;
		timer = setTimeout(() => void tellIfDue(), time - performance.now()).unref();
	}
}
