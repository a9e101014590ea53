import { fieldErrors } from './field-error.ts';
import { type Lead, leadFields, leadSchema } from './lead.ts';
import { copyIn, defaultLanguage } from '../service/load.ts';
import { cleanLine, cleanText } from './text.ts';
import { truncate } from './truncate.ts';

/**
 * What is kept of a submission that filled the honeypot: the fields of a lead that are text, cleaned as in any lead and each within
 * its limit. Nothing of it was checked, so anything may be missing.
 */
export function quarantinedLead(submission: Record<string, unknown>): Partial<Lead> {
	const fields = leadFields.flatMap(({ name, maxLength = 200, control }) => {
		const value = submission[name];
		const clean = control.kind === 'textarea' ? cleanText : cleanLine;
		return typeof value === 'string' && value !== '' ? [[name, truncate(clean(value), maxLength)]] : [];
	});
	return Object.fromEntries(fields) as Partial<Lead>;
}

/** What keeps a quarantined submission from being a lead, but for the honeypot: error codes such as `email_invalid`. */
export function faultsOf(lead: Partial<Lead>): string[] {
	const checked = leadSchema.omit({ website: true }).safeParse(lead);
	return checked.success ? [] : fieldErrors(checked.error, lead, copyIn(defaultLanguage)).map(({ code }) => code);
}
