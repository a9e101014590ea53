import { readFileSync } from 'node:fs';
import type { Lead } from '../../src/lead/lead.ts';

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

/** Returns the same spam as a robot varies it: another sender, capitals, digits, spaces and greeting. */
export function disguised({ lead }: Sample): Lead {
	const { message = '' } = lead;
	const varied = message.toUpperCase() === message.toLowerCase() ? message : message.replace(/\d/g, '7').replaceAll(' ', '  ');
	return {
		...lead,
		name: `Sam ${lead.name}`,
		email: 'sam@another-sender.example',
		message: varied && `Hello again,\n${varied.replace(/^[^\n,.!:;]{0,40}[\n,!:;]/, '')}`,
	};
}
