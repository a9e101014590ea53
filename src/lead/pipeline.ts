import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Channel } from './channels/channel.ts';
import { judgeDirectly, type SpamPolicy } from './delivery/judging.ts';
import { openOutbox } from './delivery/outbox.ts';
import { deliveringIntake } from './intake/delivering-intake.ts';
import type { Intake } from './intake/intake.ts';
import { storingIntake } from './intake/storing-intake.ts';
import { openStore, type StoreSetting } from './store/index.ts';
import type { ReceivedLead } from './message/message.ts';
import type { KeyStore } from './store/key-store.ts';
import type { Backlog, LeadStore, StoreWaits } from './store/store.ts';

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
	 * Tries due deliveries, and resolves when each was tried once, or after a few seconds. For a process that its host may
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
	/** The wait after each failed try, in seconds. */
	schedule: number[];
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
		/** For tries under way when the process stops. */
		stop?: number;
	};
}

/** @throws {StoreError} the store cannot be opened; the message gives reason and remedy */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
	const { store: place, waits } = options;
	if (place.kind === 'none') return directPipeline(options);
	const store = await openStore(place, waits, options.secret);
	// A file has one server, so its leases are of a server that died. In PostgreSQL they may be another instance's, and will end.
	if (place.kind === 'sqlite') await store.endLeases();
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
	const { channels, secret, spamPolicy, log, waits } = options;
	const scrubs = options.store.kind === 'sqlite';
	const outbox = await openOutbox({ ...options, store, scrubs, fresh: secret === undefined, stopGrace: waits?.stop });
	return {
		secret: store.secret,
		keys: store.keys,
		backlog: () => store.backlog(),
		intake: storingIntake({
			store,
			channels: channels.map(({ name }) => name),
			judges: spamPolicy !== undefined,
			log,
			onSaved: () => outbox.saved(),
			onQuarantined: () => outbox.quarantined(),
		}),
		testIntake: testIntakeOf(channels, store),
		tryDue: () => outbox.tryDue(),
		async stop() {
			await outbox.stop();
			await store[Symbol.asyncDispose]();
		},
	};
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
