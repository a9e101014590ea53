import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Lead } from '../lead.ts';
import { type Message, type ReceivedLead, receivedNow } from '../delivery/message.ts';
import { faultsOf } from '../intake/quarantine.ts';
import { NOTICE_PAUSE, quarantineMessage, SHOWN } from './quarantine-notice.ts';

/** In milliseconds: how long after a notice that no channel took the next is sent. */
const RETRY = 10 * 60_000;

export interface DirectNotices {
	/** @param kept what was read of a submission that has filled the honeypot */
	add(kept: Partial<Lead>): void;
	/** Waits for the notice that is on its way. */
	told(): Promise<unknown>;
	/** Sends a last notice, of what nobody was told of yet, and waits for it. */
	stop(): Promise<void>;
}

/** `LEAD_STORE=none`: tells of submissions that would be leads but for the honeypot, at once and then once a day. */
export function directNotices(deliver: (message: Message) => Promise<boolean>, log: Logger): DirectNotices {
	let shown: ReceivedLead[] = [];
	let number = 0;
	let pause: NodeJS.Timeout | undefined;
	// A function may be frozen, and its timers with it.
	let quietUntil = 0;
	let telling: Promise<unknown> = Promise.resolve();

	return {
		add(kept) {
			const faults = faultsOf(kept);
			log.warn({ faults }, 'A submission filled the honeypot. Without a store it is not kept.');
			if (faults.length > 0) return;
			number += 1;
			if (shown.length < SHOWN) shown.push(receivedNow(kept as Lead));
			if (performance.now() >= quietUntil) tell();
		},
		told: () => telling,
		async stop() {
			clearTimeout(pause);
			if (number > 0) tell();
			await telling;
		},
	};

	function tell(): void {
		const notice = { id: randomUUID(), receivedAt: new Date().toISOString(), number, shown: [] };
		const leads = shown;
		[shown, number] = [[], 0];
		tellAfter(NOTICE_PAUSE);
		const delivery = deliver(quarantineMessage(notice, leads, false));
		telling = Promise.all([telling, delivery.then((delivered) => delivered || keep(leads, notice.number))]);
	}

	/** Keeps for the next notice what one has told in vain. */
	function keep(leads: ReceivedLead[], count: number): void {
		shown = [...leads, ...shown].slice(0, SHOWN);
		number += count;
		tellAfter(RETRY);
	}

	function tellAfter(time: number): void {
		clearTimeout(pause);
		quietUntil = performance.now() + time;
		pause = setTimeout(() => {
			if (number > 0) tell();
		}, time).unref();
	}
}
