import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Channel, channelsFor, namesOf } from '../channels/channel.ts';
import { HOUR_MS } from '../lead/values.ts';
import { LONGEST_PAUSE_MS, STORE_PAUSE_MS, watchStore } from '../store/database.ts';
import { type AttemptOptions, attemptWith, LEASE_MS } from './attempt.ts';
import { backgroundWork } from './background-work.ts';
import { bounceWatch } from './bounces.ts';
import { type Board, purging, QUARANTINE_PAUSE_MS, type Tell } from './upkeep.ts';
import { tellOfQuarantine, tellOfSilence, tellOfStuck, tellOfUnanswered } from './upkeep.ts';

export interface OutboxOptions extends AttemptOptions {
	/** Bring canaries to the operator. */
	canaries?: Channel[];
	/** Whether the sales team hears that no lead has come for longer than usual. */
	silence?: boolean;
	/** How old a lead that nobody answers is before the sales team is reminded of it, in seconds. 0: it is not. */
	remind?: number;
	/** The mailbox of the mails' sender, in which some come back. Undefined: nobody looks. */
	returns?: URL;
}

/** How long tries may continue when the process stops, or when its host may freeze it. */
const GRACE_MS = 8000;
/** Tries of a channel at once, in each process. */
const CONCURRENCY = 8;
/** Between two looks, at least. Another instance may be claiming the delivery that is due. */
const SHORTEST_PAUSE_MS = 50;

export type Outbox = ReturnType<typeof openOutbox>;

/** Delivers the store's entries to the channels, until each channel has them or they are parked, and looks after those that stay. */
export function openOutbox(options: OutboxOptions) {
	const { store, channels, visitorMail, canaries = [], silence = false, remind = 0, team, log } = options;
	const copies = store.file?.copies() ?? [];
	if (copies.length > 0)
		log.warn({ copies }, 'Copies from before an upgrade hold leads, also erased ones. Delete them if this version works.');

	/** Names this process, as the holder of leases. */
	const owner = randomUUID();
	const noticeChannels = namesOf(channelsFor(channels));
	/** Ends the tries in flight and the wait for a failing store, because the process has to end. */
	const cutOff = new AbortController();
	/** Whether there is more to do since `tryDue` looked. */
	let more = false;
	const save = (news: Tell) => news({ store, channels: noticeChannels, log }).then(saved);
	/** Never rejects. */
	const tell = (news: Tell) =>
		save(news).catch((error: unknown) => log.error({ err: error }, 'A notice cannot be saved. It is tried again.'));
	const notices = backgroundWork(() => tell((board) => tellOfQuarantine(board, team.timeZone)).then(() => QUARANTINE_PAUSE_MS));
	const checks: Tell[] = [
		(board) => tellOfStuck(board, namesOf(channels)),
		...(silence ? [tellOfSilence] : []),
		...(remind > 0 ? [(board: Board) => tellOfUnanswered(board, remind, team.timeZone)] : []),
	];
	const purges = backgroundWork(purging(store, options.retention, log));
	const turns = backgroundWork(async () => {
		const isOurs = await store.takeTurn('upkeep').catch(() => undefined);
		if (isOurs) quarantined();
		for (const check of isOurs ? checks : []) await tell(check);
		return isOurs === undefined ? STORE_PAUSE_MS : HOUR_MS;
	});
	const bounces = options.returns && backgroundWork(bounceWatch(options.returns, options, save));
	const attempt = attemptWith(options, owner, cutOff.signal, { saved, quarantined, purge: () => purges.nudge(), tell });
	const all = [...channels, ...canaries, ...(visitorMail ? [visitorMail] : [])];
	const lanes = all.map((channel) => laneOf(channel, owner, options, attempt));
	turns.nudge();
	bounces?.nudge();
	saved();
	return { saved, quarantined, tryDue, stop };

	/** Says that something was saved: looks for due deliveries. */
	function saved(): void {
		more = true;
		for (const { nudge } of lanes) nudge();
	}

	/** Says that something was put into quarantine, or that an hour is over: tells the sales team, and deletes what is too much or too old. */
	function quarantined(): void {
		more = true;
		notices.nudge();
		purges.nudge();
	}

	/** Tries what is due, and purges, for {@link GRACE_MS} at most: for a process that its host may freeze after its answer. */
	async function tryDue(): Promise<void> {
		await Promise.race([tryAll(), wait(GRACE_MS, undefined, { ref: false })]);
	}

	async function tryAll(): Promise<void> {
		await Promise.all([turns.idle(), bounces?.idle()]);
		// After a try, a confirmation or a notice may be due.
		do {
			more = false;
			await notices.idle();
			for (const { nudge } of lanes) nudge();
			await Promise.all(lanes.map(({ idle }) => idle()));
		} while (more);
		await purges.idle();
	}

	/** Lets tries in flight end, cuts off those that take longer than `grace`, and ends the leases on the rest. Then waits for other work. */
	async function stop(grace = GRACE_MS): Promise<void> {
		const others = Promise.all([turns, bounces, notices].map((work) => work?.stop()));
		const lastCall = setTimeout(() => cutOff.abort(), grace);
		await Promise.all(lanes.map((lane) => lane.stop()));
		clearTimeout(lastCall);
		await store.endLeases(owner);
		await others;
		await purges.stop();
	}
}

/** One channel's part of the outbox: a slow channel delays no other. */
function laneOf(channel: Channel, owner: string, { store, log }: OutboxOptions, attempt: ReturnType<typeof attemptWith>) {
	/** In flight, by the id of the entry and the number of earlier tries. */
	const tries = new Map<string, Promise<void>>();
	const { nudge, ...look } = backgroundWork(claim);
	/** Waits for the tries in flight, and for those of the look that follows each. */
	const settle = async () => {
		while (tries.size > 0) await Promise.all(tries.values()).then(look.idle);
	};
	return { nudge, idle: () => look.idle().then(settle), stop: () => look.stop().then(settle) };

	/** Starts as many tries as there is room for. @returns when to look again, in milliseconds from now */
	async function claim(): Promise<number> {
		const limit = CONCURRENCY - tries.size;
		// A try that ends makes room, and nudges.
		if (limit === 0) return LONGEST_PAUSE_MS;
		const start = performance.now();
		try {
			const claim = { channel: channel.name, owner, limit, lease: LEASE_MS };
			const { claimed, untilDue = Infinity } = await watchStore(log, () => store.claim(claim));
			for (const delivery of claimed) {
				const key = `${delivery.id} ${delivery.tries}`;
				// The lease of this very try has ended, and the try goes on.
				if (tries.has(key)) continue;
				const end = attempt(delivery, channel, start).finally(() => {
					tries.delete(key);
					nudge();
				});
				tries.set(key, end);
			}
			return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, untilDue));
		} catch {
			return STORE_PAUSE_MS;
		}
	}
}
