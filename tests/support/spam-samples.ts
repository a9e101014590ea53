import { readFileSync } from 'node:fs';
import { createSecretKey } from 'node:crypto';
import type { Lead } from '../../src/lead/lead.ts';
import { judge, type Judgement } from '../../src/lead/spam/judgement.ts';
import { type Context, evidenceOf } from '../../src/lead/spam/signal.ts';
import * as signals from '../../src/lead/spam/signals.ts';
import { fingerprintOf, traitsOf } from '../../src/lead/spam/traits.ts';

const secret = createSecretKey(Buffer.alloc(32, 'key'));

/** A written lead, legitimate or spam, in `tests/lead/spam/`. */
export interface Sample {
	id: string;
	/** Samples of one campaign, or of one firm. */
	group?: string;
	lead: Lead;
}

/** Reads a set: JSON Lines. */
export const readSamples = (set: 'twins' | 'spam'): Sample[] =>
	readFileSync(`tests/lead/spam/${set}.jsonl`, 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Sample)
		.map((sample) => ({ ...sample, lead: { ...sample.lead, consent: 'on' } }));

/** Returns the same spam as a robot varies it: another sender, digits outside of links, spaces and greeting. */
function disguised({ lead }: Sample): Lead {
	const { message = '' } = lead;
	const varied =
		message.toUpperCase() === message.toLowerCase()
			? message
			: message.replace(/\S+:\/\/\S+|\d/g, (found) => (found.length > 1 ? found : '7')).replaceAll(' ', '  ');
	return {
		...lead,
		name: `Sam ${lead.name}`,
		email: 'sam@another-sender.example',
		message: varied && `Hello again,\n${varied.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')}`,
	};
}

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
		const evidence = evidenceOf(lead, alike && { alike });
		for (const { name, look } of Object.values(signals)) {
			const result = look(evidence);
			count(name, result !== undefined, Boolean(result));
		}
		const { verdict } = judge(evidence, true);
		count('in sum', true, verdict !== 'clear');
		if (verdict === 'marked') marked.push(id);
		if (verdict === 'held') held.push(id);
		if (fingerprint !== undefined) earlier.set(fingerprint, [...alike!, lead]);
	}
	return { counts, samples: samples.length, marked, held };
}

/**
 * Marks each sample as spam by itself, and judges what resembles it: the others of its campaign, and itself in disguise.
 *
 * @returns how many of those were held, and how many samples leave nothing to know others by
 */
export function judgeResembling(samples: Sample[]) {
	let [like, held, silent] = [0, 0, 0];
	for (const sample of samples) {
		const known = traitsOf(secret, sample.lead);
		if (known.length === 0) silent += 1;
		const others = samples.filter(({ group, id }) => group !== undefined && group === sample.group && id !== sample.id);
		const resembling = known.length > 0 ? [...others.map((other) => other.lead), disguised(sample)] : [];
		for (const lead of resembling) {
			const context: Context = traitsOf(secret, lead).some((trait) => known.includes(trait)) ? { trained: 'spam' } : {};
			const { verdict }: Judgement = judge(evidenceOf(lead, context), true);
			like += 1;
			held += Number(verdict === 'held');
		}
	}
	return { like, held, silent };
}
