import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Lead } from '../../src/lead/lead.ts';
import { judge } from '../../src/outbox/signals.ts';
import { fingerprintOf } from '../../src/outbox/traits.ts';

export const secret = createSecretKey(Buffer.alloc(32, 'key'));

export const leadsOf = (set: 'twins' | 'spam'): Lead[] =>
	readFileSync(`tests/outbox/${set}.jsonl`, 'utf8')
		.trim()
		.split('\n')
		.map((line) => ({ ...(JSON.parse(line) as { lead: Lead }).lead, consent: 'on' }));

/** Returns those that are marked or held by rules if they come in their order within days. */
export function caught(leads: Lead[]): Lead[] {
	const earlier = new Map<string | undefined, Lead[]>();
	return leads.filter((lead) => {
		const fingerprint = fingerprintOf(secret, lead);
		const alike = earlier.get(fingerprint) ?? [];
		earlier.set(fingerprint, [...alike, lead]);
		return judge(lead, fingerprint === undefined ? {} : { alike }, true).verdict !== 'clear';
	});
}
