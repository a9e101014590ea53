import { type Lead, leadFields } from './lead.ts';
import { cleanText } from './text.ts';
import { truncate } from './truncate.ts';

/**
 * What is kept of a submission that filled the honeypot: the fields of a lead that are text, each within its limit.
 * Nothing of it was checked, so anything may be missing.
 */
export function quarantinedLead(submission: Record<string, unknown>): Partial<Lead> {
	const fields = leadFields.flatMap(({ name, maxLength = 200 }) => {
		const value = submission[name];
		return typeof value === 'string' && value !== '' ? [[name, truncate(cleanText(value), maxLength)]] : [];
	});
	return Object.fromEntries(fields) as Partial<Lead>;
}
