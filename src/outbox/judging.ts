import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { ownHosts } from '../facts/load.ts';
import type { SpamEngine } from '../channels/rspamd.ts';
import type { ReceivedLead } from '../channels/message.ts';
import type { Context, Judgement } from '../lead/judgement.ts';
import type { Lead } from '../lead/lead.ts';
import { judge } from './signals.ts';
import { fingerprintOf, traitsToRecall } from './traits.ts';
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

/** Judges a claimed lead, and stores the judgement. Returns the one that counts: the first. Rejects if the store fails. */
export async function judgeStored({ id, payload }: ClaimedDelivery, store: LeadStore, policy: SpamPolicy, log: Logger) {
	const received = JSON.parse(payload) as ReceivedLead;
	const fingerprint = fingerprintOf(store.secret, received.lead);
	const [alike, trained] = await Promise.all([
		fingerprint === undefined ? undefined : store.alike(fingerprint, id, Date.now() - REPEAT_TIME),
		store.recall(traitsToRecall(store.secret, received.lead, ownHosts)),
	]);
	// One that cannot be read any more has no lead.
	const leads = alike?.flatMap((entry) => (JSON.parse(entry.payload) as Partial<ReceivedLead>).lead ?? []);
	const judgement = await judgeBy({ alike: leads, trained }, received, policy, log);
	// Another instance may have judged it meanwhile.
	return (await store.judge(id, judgement)) ? judgement : ((await store.find(id))[0]?.spam ?? judgement);
}

/** Judges leads within their requests. */
export interface SpamCheck {
	/** Returns a keyed hash by which leads with the same message are found. Undefined: the message is too short. */
	fingerprintOf(lead: Partial<Lead>): string | undefined;
	/** `LEAD_STORE=none`: judges a lead, which is only ever marked. */
	judge(received: ReceivedLead): Promise<Judgement>;
}

/** @param secret of the store */
export const spamCheck = ({ engine }: SpamPolicy, secret: KeyObject, log: Logger): SpamCheck => ({
	fingerprintOf: (lead) => fingerprintOf(secret, lead),
	judge: (received) => judgeBy({}, received, { mayHold: false, engine }, log),
});

/** Judges a lead by what is known of it, and by the engine. With an API key it is only ever marked. */
async function judgeBy(known: Context, received: ReceivedLead, { mayHold, engine }: SpamPolicy, log: Logger): Promise<Judgement> {
	const { id, lead, apiKey } = received;
	const judgement = judge(lead, { ...known, engine: await engine?.(received) }, mayHold && apiKey === undefined);
	if (judgement.verdict !== 'clear') log.info({ lead: id, ...judgement }, 'A lead looks like spam.');
	return judgement;
}
