import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { failureOf } from '../channels/channel.ts';
import { contentOf } from '../channels/entry.ts';
import type { ReceivedLead } from '../channels/message.ts';
import type { SpamEngine } from '../channels/rspamd.ts';
import type { Context, Fields, Judgement } from '../lead/judgement.ts';
import type { ClaimedDelivery, LeadStore } from '../store/store.ts';
import { judge } from './signals.ts';
import { fingerprintOf, traitsToRecall } from './traits.ts';

/** In milliseconds: how long a message is remembered, to find it repeated. */
const REPEAT_TIME = 3 * 24 * 3600_000;

export type SpamCheck = ReturnType<typeof spamCheck>;

/** Returns what judges leads. @param secret of the store @param policy without `mayHold` leads are only ever marked */
export function spamCheck(secret: KeyObject, policy: { mayHold: boolean; engine?: SpamEngine | undefined }, log: Logger) {
	/** Judges a lead by what is known of it, and by the engine. With an API key it is only ever marked. */
	async function judgeLead(received: ReceivedLead, known: Context = {}): Promise<Judgement> {
		const { id, lead, apiKey, form } = received;
		const engine = await policy.engine?.(received).catch((error: unknown) => {
			const remedy = 'The lead is judged without it. See to it that it runs at LEAD_SPAM_URL.';
			log.warn({ lead: id, reason: failureOf(error).reason }, `The spam engine gave no answer. ${remedy}`);
			return undefined;
		});
		const judgement = judge(lead, { ...known, engine, form }, policy.mayHold && apiKey === undefined);
		if (judgement.verdict !== 'clear') log.info({ lead: id, ...judgement }, 'A lead looks like spam.');
		return judgement;
	}

	/** Judges a claimed lead by what the store knows of others, too. Rejects if the store fails. */
	async function judgeStored({ id, payload }: ClaimedDelivery, store: LeadStore): Promise<Judgement> {
		const received = contentOf({ payload }) as ReceivedLead;
		const fingerprint = fingerprintOf(secret, received.lead);
		const [alike, trained] = await Promise.all([
			fingerprint === undefined ? undefined : store.alike(fingerprint, id, Date.now() - REPEAT_TIME),
			store.recall(traitsToRecall(secret, received.lead)),
		]);
		const leads = alike?.flatMap((entry) => contentOf(entry).lead ?? []);
		return judgeLead(received, { alike: leads, trained });
	}

	return { judge: judgeLead, judgeStored, fingerprintOf: (lead: Fields) => fingerprintOf(secret, lead) };
}
