import { readFileSync } from 'node:fs';
import { createSecretKey } from 'node:crypto';
import type { Lead } from '../../src/lead/lead.ts';
import { judge, signals } from '../../src/outbox/signals.ts';
import { fingerprintOf, traitsToLearn, traitsToRecall } from '../../src/outbox/traits.ts';

export const secret = createSecretKey(Buffer.alloc(32, 'key'));

/** A written lead, legitimate or spam, in `tests/outbox/`. */
export interface Sample {
	id: string;
	/** Samples of one campaign, or of one firm. */
	group?: string;
	lead: Lead;
}

/** Reads a set: JSON Lines. */
export const readSamples = (set: 'twins' | 'spam'): Sample[] =>
	readFileSync(`tests/outbox/${set}.jsonl`, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Sample)
		.map((sample) => ({ ...sample, lead: { ...sample.lead, consent: 'on' } }));

/** Returns the same spam as a robot varies it: another sender, link, greeting and digits. */
const disguised = ({ message = '', ...lead }: Lead): Lead => ({
	...lead,
	name: `Sam ${lead.name}`,
	email: 'sam@another-sender.example',
	message: `Hello again,\n${message.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '').replace(/https?:\/\/\S*|\d/g, (found) => (found.length > 1 ? 'https://another.example/' : '7'))}`,
});

/** Judges samples in their order, as if they came within days. */
export function judgeInOrder(samples: Sample[]) {
	const counts = new Map<string, { could: number; did: number }>();
	const count = (name: string, could: boolean, did: boolean) => {
		const sum = counts.get(name) ?? { could: 0, did: 0 };
		counts.set(name, { could: sum.could + Number(could), did: sum.did + Number(did) });
	};
	const earlier = new Map<string, Lead[]>();
	const [marked, held]: [string[], string[]] = [[], []];
	for (const { id, lead } of samples) {
		const fingerprint = fingerprintOf(secret, lead);
		const alike = fingerprint === undefined ? undefined : (earlier.get(fingerprint) ?? []);
		const context = alike ? { alike } : {};
		for (const [name, look] of Object.entries(signals)) {
			const result = look(lead, context);
			count(name, result !== undefined, Boolean(result));
		}
		const { verdict } = judge(lead, context, true);
		count('in sum', true, verdict !== 'clear');
		if (verdict === 'marked') marked.push(id);
		if (verdict === 'held') held.push(id);
		if (fingerprint !== undefined) earlier.set(fingerprint, [...alike!, lead]);
	}
	return { counts, samples: samples.length, marked, held };
}

/** Marks each sample as spam. @returns how many in disguise are like it, how many have too short a message for that, and the likes of others */
export function judgeResembling(spam: Sample[], others: Sample[]) {
	const known = new Set(spam.flatMap(({ lead }) => traitsToLearn(secret, lead, [])));
	const isLike = (lead: Lead) => traitsToRecall(secret, lead, []).some((trait) => known.has(trait));
	const long = spam.filter(({ lead }) => fingerprintOf(secret, lead) !== undefined);
	return {
		like: long.filter(({ lead }) => isLike(disguised(lead))).length,
		silent: spam.length - long.length,
		mistaken: others.filter(({ lead }) => isLike(lead)).map(({ id }) => id),
	};
}
