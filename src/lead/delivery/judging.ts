import type { Logger } from 'pino';
import { ownHosts } from '../../facts/load.ts';
import type { SpamEngine } from '../channels/rspamd.ts';
import type { ReceivedLead } from '../message/message.ts';
import type { Context, Judgement } from '../spam/judgement.ts';
import { judge } from '../spam/signals.ts';
import { fingerprintOf, traitsToRecall } from '../spam/traits.ts';
import type { ClaimedDelivery, LeadStore } from '../store/store.ts';

/** How leads are judged. */
export interface SpamPolicy {
	/** False: leads are only ever marked. */
	mayHold: boolean;
	/** Undefined: there is no engine to ask. */
	engine?: SpamEngine | undefined;
}

/** In milliseconds: how long a message is remembered, to find it repeated. */
const REPEAT_TIME = 3 * 24 * 3600_000;

/** Judges a claimed lead that nobody has judged yet, and stores the judgement. Rejects if the store fails. */
export type Judging = (claimed: ClaimedDelivery) => Promise<Judgement>;

/** Returns a function that judges each stored lead once, for all its channels. @param onHeld called when a lead was held */
export function judgeStored(policy: SpamPolicy, store: LeadStore, log: Logger, onHeld: () => void): Judging {
	/** By the id of the entry: several channels may claim a lead at the same moment. */
	const underWay = new Map<string, Promise<Judgement>>();
	return ({ id, payload }) => {
		const judging = underWay.get(id) ?? judgeOne(JSON.parse(payload) as ReceivedLead).finally(() => underWay.delete(id));
		underWay.set(id, judging);
		return judging;
	};

	async function judgeOne(received: ReceivedLead): Promise<Judgement> {
		const judgement = await judgeReceived(received, policy, await knownOf(received, store));
		// Another instance may have judged it meanwhile: the first judgement counts.
		if (!(await store.judge(received.id, judgement))) return (await store.find(received.id))[0]?.spam ?? judgement;
		report(received.id, judgement, log);
		if (judgement.verdict === 'held') onHeld();
		return judgement;
	}
}

/** `LEAD_STORE=none`: judges a lead within its request. It is only ever marked. */
export async function judgeDirectly(received: ReceivedLead, { engine }: SpamPolicy, log: Logger): Promise<Judgement> {
	const judgement = await judgeReceived(received, { mayHold: false, engine });
	report(received.id, judgement, log);
	return judgement;
}

/** Judges a lead by what is known of it, and by the engine. With an API key it is only ever marked. */
async function judgeReceived(received: ReceivedLead, { mayHold, engine }: SpamPolicy, known: Context = {}): Promise<Judgement> {
	const { lead, apiKey } = received;
	return judge(lead, { ...known, engine: await engine?.(received) }, mayHold && apiKey === undefined);
}

/** Returns what the store knows of leads like this one. */
async function knownOf({ id, lead }: ReceivedLead, store: LeadStore): Promise<Context> {
	const fingerprint = fingerprintOf(store.secret, lead);
	const [alike, trained] = await Promise.all([
		fingerprint === undefined ? undefined : store.alike(fingerprint, id, Date.now() - REPEAT_TIME),
		store.recall(traitsToRecall(store.secret, lead, ownHosts)),
	]);
	// One that cannot be read any more has no lead.
	return { alike: alike?.flatMap(({ payload }) => (JSON.parse(payload) as Partial<ReceivedLead>).lead ?? []), trained };
}

function report(lead: string, judgement: Judgement, log: Logger): void {
	if (judgement.verdict !== 'clear') log.info({ lead, ...judgement }, 'A lead looks like spam.');
}
