import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { abortAfter, failureOf } from '../channels/channel.ts';
import { contentOf, type ReceivedLead } from '../channels/message.ts';
import type { SpamEngine } from '../channels/rspamd.ts';
import type { Context, Fields, Judgement } from '../lead/judgement.ts';
import type { LeadStore } from '../store/store.ts';
import { judge } from './signals.ts';
import { fingerprintOf, traitsToRecall } from './traits.ts';

/** How far back a message is compared with those of leads that are still kept. */
const REPEAT_TIME_MS = 3 * 24 * 3600_000;

/** How long the engines may take together, and where a visitor waits, or a host that may stop us. */
const [PATIENCE_MS, SHORT_PATIENCE_MS] = [20_000, 3000];

export type SpamCheck = ReturnType<typeof spamCheck>;
type Policy = { mayHold: boolean; isAwaited: boolean; spamEngines: SpamEngine[] };

/** Returns what judges leads. @param secret of the store @param policy without `mayHold` leads are only ever marked; `isAwaited`: somebody waits */
export function spamCheck(secret: KeyObject, policy: Policy, log: Logger) {
	/** Judges a lead by what is known of it, and by the engines. With an API key it is only ever marked. */
	async function judgeLead(received: ReceivedLead, known: Context = {}, cutOff?: AbortSignal): Promise<Judgement> {
		const { id, lead, apiKey, form } = received;
		using budget = abortAfter(policy.isAwaited ? SHORT_PATIENCE_MS : PATIENCE_MS, cutOff);
		const asked = policy.spamEngines.filter(({ isModel }) => !isModel || !known.isCanary);
		const answers = asked.map(({ name, ask }) =>
			ask(received, budget.signal).catch((error: unknown) => {
				const remedy = 'The lead is judged without it. See to it that it answers at LEAD_SPAM_URL.';
				const { reason } = failureOf(error, budget.signal);
				if (!cutOff?.aborted) log.warn({ lead: id, engine: name, reason }, `The spam engine gave no answer. ${remedy}`);
				return [];
			}),
		);
		const context = { ...known, engines: (await Promise.all(answers)).flat(), form };
		const judgement = judge(lead, context, policy.mayHold && apiKey === undefined);
		if (judgement.verdict !== 'clear') log.info({ lead: id, ...judgement }, 'A lead looks like spam.');
		return judgement;
	}

	/** Judges a claimed lead by what the store knows of others, too. Rejects if the store fails. */
	async function judgeStored(received: ReceivedLead, store: LeadStore, cutOff: AbortSignal): Promise<Judgement> {
		const { id, lead } = received;
		const fingerprint = fingerprintOf(secret, lead);
		const [alike, trained] = await Promise.all([
			fingerprint === undefined ? undefined : store.alike(fingerprint, id, Date.now() - REPEAT_TIME_MS),
			store.recall(traitsToRecall(secret, lead)),
		]);
		const leads = alike?.flatMap((entry) => contentOf(entry).lead ?? []);
		return judgeLead(received, { alike: leads, trained }, cutOff);
	}

	return { judge: judgeLead, judgeStored, fingerprintOf: (lead: Fields) => fingerprintOf(secret, lead) };
}
