import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Channel } from './channels/channel.ts';
import { CONFIRMATION } from './channels/email.ts';
import { openConfirming } from './intake/confirming.ts';
import { type Incidents, watchIncidents } from './delivery/incidents.ts';
import { judgeDirectly, judgeStored, type SpamPolicy } from './delivery/judging.ts';
import { startOutbox } from './delivery/outbox.ts';
import { deliveringIntake } from './intake/delivering-intake.ts';
import type { Intake } from './intake/intake.ts';
import { storingIntake } from './intake/storing-intake.ts';
import { openStore, type StoreSetting } from './store/index.ts';
import type { ReceivedLead } from './message/message.ts';
import type { KeyStore } from './store/key-store.ts';
import type { Backlog, ClaimedDelivery, LeadStore, StoreWaits } from './store/store.ts';
import { watchQuarantine } from './upkeep/quarantine-watch.ts';
import { startRetention } from './upkeep/retention.ts';
import type { RetrySchedule } from './delivery/retry-schedule.ts';

/** Runs a lead's way from the request to the channels. */
export interface Pipeline {
	intake: Intake;
	/** Takes leads that are sent with the public test key: answers as for any lead, but keeps and delivers nothing. */
	testIntake: Intake;
	/** The API keys of the store. Undefined without a store. */
	keys: KeyStore | undefined;
	/** Counts the leads that need attention. Undefined without a store. */
	backlog: (() => Promise<Backlog>) | undefined;
	/** For keyed hashes. The same in every instance that shares the store. */
	secret: KeyObject;
	/**
	 * Tries due deliveries, and resolves when each was tried once, or after {@link TRY_LIMIT}. For a process that its host may
	 * freeze as soon as it has answered.
	 */
	tryDue(): Promise<void>;
	/** Finishes tries in flight, gives up the leases on the rest, and closes the store. */
	stop(): Promise<void>;
}

export interface PipelineOptions {
	store: StoreSetting;
	/** The secret of the store, if this process opened it within the hour: then its tables are not looked at again, and nothing is purged. */
	secret?: KeyObject | undefined;
	channels: Channel[];
	/** Confirms to visitors, where there is a store. Undefined: nobody gets a confirmation. */
	visitorMail?: Channel | undefined;
	schedule: RetrySchedule;
	/** How long a delivered lead is kept, in seconds. */
	retention: number;
	/** The language of the sales team: one of the published languages. */
	language: string;
	/** The time zone of the sales team. Undefined: UTC. */
	timeZone?: string | undefined;
	/** Undefined: nobody judges leads. */
	spamPolicy?: SpamPolicy | undefined;
	log: Logger;
	/** In milliseconds: how long to wait for others, if not as usual. */
	waits?: StoreWaits & {
		/** For tries under way when the process stops. By default 8 seconds. */
		stop?: number;
	};
}

/** In milliseconds: how long tries may continue when the process stops. */
const STOP_GRACE = 8000;
/** In milliseconds: hosts end a function that takes much longer. */
const TRY_LIMIT = 8000;

/** @throws {StoreError} the store cannot be opened; the message gives reason and remedy */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
	const { store: place, channels, log, waits } = options;
	if (place.kind === 'none') return directPipeline(options);
	const store = await openStore(place, waits, options.secret);
	// A file has one server, so its leases are of a server that died. In PostgreSQL they may be another instance's, and will end.
	if (place.kind === 'sqlite') await store.endLeases();
	if (!options.secret) await reportStranded(store, channels, log);
	return startPipeline(store, options);
}

function directPipeline(options: PipelineOptions): Pipeline {
	const { channels, language, timeZone, spamPolicy, log } = options;
	const secret = createSecretKey(randomBytes(32));
	const judge = spamPolicy && ((received: ReceivedLead) => judgeDirectly(received, spamPolicy, log));
	return {
		secret,
		keys: undefined,
		backlog: undefined,
		intake: deliveringIntake(channels, secret, log, { language, timeZone }, judge),
		testIntake: testIntakeOf(channels),
		tryDue: () => Promise.resolve(),
		stop: () => Promise.resolve(),
	};
}

async function startPipeline(store: LeadStore, options: PipelineOptions): Promise<Pipeline> {
	const { channels, visitorMail, schedule, language, timeZone, spamPolicy, log, waits } = options;
	const names = channels.map(({ name }) => name);
	const noticeChannels = channels.filter(({ leadsOnly }) => !leadsOnly).map(({ name }) => name);
	const incidents = watchIncidents(store, log, noticeChannels);
	const retention = startRetention({
		store,
		retention: options.retention,
		scrubs: options.store.kind === 'sqlite',
		log,
		waits: options.secret !== undefined,
	});
	// An operator who keeps no delivered lead wants it deleted at once, not within the hour.
	const onDelivered = options.retention === 0 ? retention.nudge : () => {};
	const delivering = { store, schedule, language, timeZone, log, onDelivered, stopGrace: waits?.stop ?? STOP_GRACE };
	const onQuarantined = () => {
		quarantine.nudge();
		retention.nudge();
	};
	let heldMore = false;
	const onHeld = () => {
		heldMore = true;
		onQuarantined();
	};
	const judging = spamPolicy && judgeStored({ ...spamPolicy, store, log, onHeld });
	const confirming = visitorMail && (await openConfirming({ store, place: options.store, channel: visitorMail, log }));
	const confirmations = confirming && startOutbox({ ...delivering, channels: [confirming.channel], incidents: nobodyWatches });
	const confirm =
		confirming &&
		(async (lead: ClaimedDelivery) => {
			if (await confirming.save(lead)) confirmations!.nudge();
		});
	const outbox = startOutbox({ ...delivering, channels, incidents, judging, confirm });
	const quarantine = watchQuarantine({ store, channels: noticeChannels, log, onSaved: outbox.nudge });
	const intake = storingIntake({ store, channels: names, judges: Boolean(judging), log, onSaved: outbox.nudge, onQuarantined });
	return {
		secret: store.secret,
		keys: store.keys,
		backlog: () => store.backlog(),
		intake,
		testIntake: testIntakeOf(channels, store),
		tryDue: () => limited(tryLeads().then(() => confirmations?.tryDue())),
		async stop() {
			await quarantine.stop();
			await Promise.all([outbox.stop(), confirmations?.stop()]);
			await confirming?.stop();
			await retention.stop();
			await store[Symbol.asyncDispose]();
		},
	};

	/** A try may hold a lead: its notice is due then. */
	async function tryLeads(): Promise<void> {
		do {
			heldMore = false;
			await quarantine.idle();
			await outbox.tryDue();
		} while (heldMore);
	}
}

/**
 * Takes leads that are sent with the public test key, and remembers nothing: everybody shares that key, so the same
 * `Idempotency-Key` may come from anybody.
 *
 * @param store must be able to save, as for a lead
 */
function testIntakeOf(channels: Channel[], store?: LeadStore): Intake {
	const canSave = async (): Promise<boolean> => {
		try {
			await store?.requireWritable();
			return true;
		} catch {
			return false;
		}
	};
	const take = async () => (channels.length > 0 && (await canSave()) ? 'accepted' : 'unavailable');
	// A honeypot hit takes as long as a lead.
	return { take, quarantine: canSave };
}

/** The sales team gets no notice of confirmations that fail. */
const nobodyWatches: Incidents = { failed: () => Promise.resolve(false), keyOf: () => undefined };

/** Waits for work, but not longer than the limit. */
async function limited(work: Promise<unknown>): Promise<void> {
	await Promise.race([work, wait(TRY_LIMIT, undefined, { ref: false })]);
}

/** Logs the channels that have leads to deliver but are not in the settings: nothing tries them. Confirmations end by themselves. */
async function reportStranded(store: LeadStore, channels: Channel[], log: Logger): Promise<void> {
	const configured = new Set([CONFIRMATION, ...channels.map(({ name }) => name)]);
	const stranded = (await store.pendingChannels()).filter((channel) => !configured.has(channel));
	for (const channel of stranded)
		log.warn(
			{ channel },
			'Leads wait for a channel that is not configured: configure it again, or run npm run leads -- retry --parked.',
		);
}
