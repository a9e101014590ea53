import type { Logger } from 'pino';
import { ownHosts } from '../../facts/load.ts';
import { spamJudged } from '../events.ts';
import type { ReceivedLead } from '../message/message.ts';
import type { SpamEngine } from '../channels/rspamd.ts';
import { judge, type Judgement } from '../spam/judgement.ts';
import { type Context, evidenceOf } from '../spam/signal.ts';
import { fingerprintOf, traitsOf } from '../spam/traits.ts';
import type { ClaimedDelivery, LeadStore } from '../store/store.ts';

/** How leads are judged. */
export interface SpamWatch {
	/** False: leads are only ever marked. */
	mayHold: boolean;
	/** Undefined: nobody else is asked. */
	engine?: SpamEngine | undefined;
}

/** In milliseconds: how long a message counts as sent before. */
const SAME_DAYS = 3 * 24 * 3600_000;

export interface JudgingOptions extends SpamWatch {
	store: LeadStore;
	log: Logger;
	/** Called when a lead was held. */
	onHeld: () => void;
}

/** Judges a claimed lead that nobody has judged yet, once for all channels. Rejects if the store fails. */
export type Judging = (claimed: ClaimedDelivery) => Promise<Judgement>;

export function judgeStored({ store, mayHold, engine, log, onHeld }: JudgingOptions): Judging {
	/** By the id of the entry: the lanes of other channels have it in hand too. */
	const underWay = new Map<string, Promise<Judgement>>();
	return ({ id, payload }) => {
		const judging = underWay.get(id) ?? judgeOne(id, payload).finally(() => underWay.delete(id));
		underWay.set(id, judging);
		return judging;
	};

	async function judgeOne(id: string, payload: string): Promise<Judgement> {
		const received = JSON.parse(payload) as ReceivedLead;
		const { lead, apiKey } = received;
		const fingerprint = fingerprintOf(store.secret, lead);
		const [alike, trained, verdict] = await Promise.all([
			fingerprint === undefined ? undefined : store.alike(fingerprint, id, Date.now() - SAME_DAYS),
			store.recall(traitsOf(store.secret, lead, ownHosts)),
			engine?.ask(received),
		]);
		if (engine && verdict === undefined) log.warn({ lead: id }, UNANSWERED);
		const context: Context = {
			alike: alike?.map((entry) => (JSON.parse(entry.payload) as ReceivedLead).lead),
			trained: trained === 'spam' || trained === 'clear' ? trained : undefined,
			engine: verdict,
		};
		const judgement = judge(evidenceOf(lead, context), mayHold && apiKey === undefined);
		// Another instance may have judged it meanwhile: the first judgement counts.
		if (!(await store.judge(id, judgement))) return (await store.find(id))[0]?.spam ?? judgement;
		report(id, judgement, log);
		if (judgement.verdict === 'held') onHeld();
		return judgement;
	}
}

/** `LEAD_STORE=none`: judges a lead within its request. It is only ever marked. */
export async function judgeDirectly(received: ReceivedLead, { engine }: SpamWatch, log: Logger): Promise<Judgement> {
	const verdict = await engine?.ask(received);
	if (engine && verdict === undefined) log.warn({ lead: received.id }, UNANSWERED);
	const judgement = judge(evidenceOf(received.lead, { engine: verdict }), false);
	report(received.id, judgement, log);
	return judgement;
}

const UNANSWERED = 'The spam engine gave no answer in time: the lead is judged without it.';

function report(lead: string, { verdict, signals }: Judgement, log: Logger): void {
	spamJudged.publish({ verdict, signals });
	if (verdict !== 'clear') log.info({ lead, verdict, signals }, 'Judged as spam.');
}
