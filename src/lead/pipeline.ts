import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Channel } from './channels/channel.ts';
import { confirmingIntake, directConfirm, storedConfirm } from './delivery/confirm.ts';
import { directIntake } from './intake/direct-intake.ts';
import { type Incidents, watchIncidents } from './delivery/incidents.ts';
import type { Intake } from './intake/intake.ts';
import { PARTING, startOutbox } from './delivery/outbox.ts';
import { startRetention } from './upkeep/retention.ts';
import type { RetrySchedule } from './delivery/retry-schedule.ts';
import { watchQuarantine } from './upkeep/quarantine-watch.ts';
import { openStore, type StoreSetting } from './store/index.ts';
import type { LeadStore } from './store/store.ts';
import { storedIntake } from './intake/stored-intake.ts';

/** A lead's way from the request to the channels. */
export interface Pipeline {
	intake: Intake;
	/** For keyed hashes; the same in every instance that shares the store. */
	secret: Buffer;
	/** Resolves when everything that is due has been tried once, or at the time limit. For a process that may be frozen after it answers. */
	tried(): Promise<void>;
	/** Finishes what is in flight, hands back the rest, and closes the store. */
	stop(): Promise<void>;
}

export interface PipelineOptions {
	store: StoreSetting;
	channels: Channel[];
	/** The way to confirm to visitors; undefined: nobody gets a confirmation. */
	confirmation?: Channel | undefined;
	schedule: RetrySchedule;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	log: Logger;
}

/** In milliseconds: hosts end a function that takes much longer. */
const TRIED_LIMIT = 8000;

/** @throws {StoreError} the store cannot be opened: why, and what to do */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
	const { channels, confirmation, log } = options;
	const { store: place } = options;
	if (place.kind === 'none') return directPipeline(options);
	const store = await openStore(place);
	// A file has one server, so what is claimed in it was left by one that died. In PostgreSQL it may be another's: its lease ends.
	if (place.kind === 'sqlite') await store.endLeases();
	await reportStranded(store, confirmation ? [...channels, confirmation] : channels, log);
	return startPipeline(store, options);
}

function directPipeline({ channels, confirmation, log }: PipelineOptions): Pipeline {
	const secret = randomBytes(32);
	const ending = new AbortController();
	const intake = directIntake(channels, secret, log);
	const confirming = confirmation && confirmingIntake(intake, directConfirm(confirmation, secret, log, ending.signal));
	return {
		secret,
		intake: confirming ?? intake,
		tried: () => limited(confirming?.confirmed()),
		async stop() {
			const lastCall = setTimeout(() => ending.abort(), PARTING);
			await Promise.all([intake.stop(), confirming?.confirmed()]);
			clearTimeout(lastCall);
		},
	};
}

function startPipeline(store: LeadStore, options: PipelineOptions): Pipeline {
	const { channels, confirmation, schedule, log } = options;
	const names = channels.map(({ name }) => name);
	const incidents = watchIncidents(store, names, log);
	const retention = startRetention({ store, retention: options.retention, scrubs: options.store.kind === 'sqlite', log });
	// Who keeps nothing wants it gone at once, and not within the hour.
	const delivered = options.retention === 0 ? retention.nudge : () => {};
	const outbox = startOutbox({ store, channels, schedule, incidents, log, delivered });
	const quarantine = watchQuarantine({ store, channels: names, log, saved: outbox.nudge });
	const quarantined = () => {
		quarantine.nudge();
		retention.nudge();
	};
	const intake = storedIntake({ store, channels: names, log, saved: outbox.nudge, quarantined });
	const confirmations =
		confirmation && startOutbox({ store, channels: [confirmation], schedule, incidents: nobodyWatches, log, delivered });
	const confirming = confirmations && confirmingIntake(intake, storedConfirm(store, log, confirmations.nudge));
	return {
		secret: store.secret,
		intake: confirming ?? intake,
		tried: () => limited(Promise.all([quarantine.idle().then(outbox.tried), confirming?.confirmed().then(confirmations?.tried)])),
		async stop() {
			await Promise.all([quarantine.stop(), confirming?.confirmed()]);
			await Promise.all([outbox.stop(), confirmations?.stop()]);
			await retention.stop();
			await store[Symbol.asyncDispose]();
		},
	};
}

/** A confirmation that does not arrive is no trouble of the sales team's. */
const nobodyWatches: Incidents = { failed: () => Promise.resolve(false), worked: () => Promise.resolve() };

/** Waits no longer than the limit. */
async function limited(work: Promise<unknown> | undefined): Promise<void> {
	if (work) await Promise.race([work, wait(TRIED_LIMIT, undefined, { ref: false })]);
}

/** Leads can wait for a channel that the settings no longer have. */
async function reportStranded(store: LeadStore, channels: Channel[], log: Logger): Promise<void> {
	const configured = new Set(channels.map(({ name }) => name));
	const stranded = (await store.waitingChannels()).filter((channel) => !configured.has(channel));
	for (const channel of stranded)
		log.warn({ channel }, 'Leads wait for a channel that is not configured: configure it again, or see npm run leads -- list.');
}
