import { randomUUID } from 'node:crypto';
import { copyIn, languageFor, service } from '../service/load.ts';
import { type FieldError, fieldErrors } from './field-error.ts';
import { leadSchema } from './lead.ts';
import type { Deliver } from './deliver.ts';
import { messageOf } from './message.ts';
import type { Quota, RateLimit } from './rate-limit.ts';

/** What became of a submission. */
export type Outcome =
	| { kind: 'accepted' }
	| { kind: 'invalid'; errors: FieldError[] }
	| { kind: 'limited'; retryAfter: number }
	| { kind: 'unavailable' };

export interface Received {
	outcome: Outcome;
	/** What is left of the client's rate limit. */
	quota: Quota | undefined;
	/** The language to answer in. */
	language: string;
}

export interface ReceiveDeps {
	deliver: Deliver;
	rateLimit: RateLimit;
}

/** Takes a lead: screens it, checks it, and gets it to the sales team. Knows no HTTP. */
export async function receive(input: unknown, client: string, { deliver, rateLimit }: ReceiveDeps): Promise<Received> {
	const values = isRecord(input) ? input : {};
	const language = languageFor(values['lang']);
	const quota = await rateLimit(client);
	const outcome = await decide();
	return { outcome, quota, language };

	async function decide(): Promise<Outcome> {
		if (isHoneypotHit(values)) return { kind: 'accepted' };
		if (quota?.exceeded) return { kind: 'limited', retryAfter: quota.resetAfter };
		const checked = leadSchema.safeParse(values);
		if (!checked.success) return { kind: 'invalid', errors: fieldErrors(checked.error, values, copyIn(language)) };
		const delivered = await deliver(
			messageOf({
				id: randomUUID(),
				receivedAt: new Date().toISOString(),
				noticeVersion: service.privacyNotice.version,
				lead: checked.data,
			}),
		);
		return { kind: delivered ? 'accepted' : 'unavailable' };
	}
}

/** `website` is there to be left empty by people. */
const isHoneypotHit = ({ website }: Record<string, unknown>) => website !== undefined && website !== '';

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
