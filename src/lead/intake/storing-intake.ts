import type { Logger } from 'pino';
import { type Intake, type IntakeResult, refuseUnconfigured } from './intake.ts';
import type { Lead } from '../lead.ts';
import { type ReceivedLead, receivedNow } from '../message/message.ts';
import { onceFor, onceQuarantined } from './once.ts';
import { faultsOf, hitJudgement, quarantinedLead } from './quarantine.ts';
import { fingerprintOf } from '../spam/traits.ts';
import type { Insertion, LeadStore, NewEntry } from '../store/store.ts';

export interface StoringIntakeOptions {
	store: LeadStore;
	/** Names of the channels that get each lead. */
	channels: string[];
	/** Whether leads are judged before they are delivered. */
	judges: boolean;
	log: Logger;
	/** Called when a delivery is due. */
	onSaved: () => void;
	/** Called after a submission was put into quarantine. */
	onQuarantined: () => void;
}

/** Saves each lead with one delivery for each channel. A lead is taken once it is on disk. */
export function storingIntake({ store, channels, judges, log, onSaved, onQuarantined }: StoringIntakeOptions): Intake {
	return {
		async take(lead, sending) {
			if (channels.length === 0) return refuseUnconfigured(log);
			const once = onceFor(store.secret, lead, sending);
			const entry = { ...entryOf(receivedNow(lead, sending)), channels, once };
			const insertion = await insert(entry);
			if (insertion === 'inserted') onSaved();
			return insertion === undefined ? 'unavailable' : results[insertion];
		},
		async quarantine(submission, sending) {
			const kept = quarantinedLead(submission);
			const quarantine = faultsOf(kept).length === 0 ? 'releasable' : 'faulty';
			const once = onceQuarantined(store.secret, kept);
			const entry: NewEntry = {
				...entryOf(receivedNow(kept as Lead, sending)),
				quarantine,
				spam: hitJudgement,
				channels: [],
				once,
			};
			const insertion = await insert(entry);
			if (insertion !== undefined) onQuarantined();
			return insertion !== undefined;
		},
	};

	function entryOf(received: ReceivedLead) {
		return {
			id: received.id,
			kind: 'lead' as const,
			receivedAt: Date.parse(received.receivedAt),
			email: received.lead.email ?? null,
			source: received.lead.source ?? null,
			apiKey: received.apiKey,
			fingerprint: judges ? fingerprintOf(store.secret, received.lead) : undefined,
			payload: JSON.stringify(received),
		};
	}

	/** @returns undefined if the store failed */
	async function insert(entry: NewEntry): Promise<Insertion | undefined> {
		try {
			return await store.insert(entry);
		} catch (error) {
			log.error(
				{ err: error },
				entry.quarantine
					? 'A submission that filled the honeypot is not kept: the store cannot save it.'
					: 'A lead was refused: the store cannot save it.',
			);
			return undefined;
		}
	}
}

const results: Record<Insertion, IntakeResult> = {
	inserted: 'accepted',
	duplicate: 'accepted',
	conflict: 'idempotency-key-reused',
};
