import { copyIn, defaultLanguage } from '../../service/load.ts';
import { fieldErrors } from './field-error.ts';
import { type Lead, type LeadField, leadFields, leadSchema } from '../lead.ts';
import { cutTo, fits, isFarOver } from '../length.ts';
import { cleanLine, cleanText } from '../text.ts';

/** In code points: how much is kept of what fills the honeypot, which has no limit of its own. */
const HONEYPOT_LENGTH = 200;

/**
 * What is kept of a submission that filled the honeypot: the fields of a lead that are text, cleaned as in any lead. What is within
 * its limit is whole; what is not is cut, and stays too long. Nothing of it was checked, so anything may be missing.
 */
export function quarantinedLead(submission: Record<string, unknown>): Partial<Lead> {
	const fields = leadFields.map((field) => [field.name, kept(field, submission[field.name])]);
	return Object.fromEntries(fields.filter(([, text]) => text !== '')) as Partial<Lead>;
}

function kept({ control, maxLength = HONEYPOT_LENGTH }: LeadField, value: unknown): string {
	if (typeof value !== 'string') return '';
	// Compared as it is: cleaned, it could become a consent that nobody gave.
	if (control.kind === 'consent') return value === 'on' ? value : '';
	const clean = control.kind === 'textarea' ? cleanText : cleanLine;
	const farOver = isFarOver(value, maxLength);
	const text = clean(farOver ? cutTo(value.trim(), 2 * maxLength) : value);
	if (fits(text, maxLength) && !farOver) return text;
	// Of what is far over its limit, cleaning may leave less than that: it was no lead, and must not look like one.
	return `${cutTo(text, maxLength).padEnd(maxLength, '…')}…`;
}

const butForHoneypot = leadSchema.omit({ website: true });

/** What keeps a quarantined submission from being a lead, but for the honeypot: error codes such as `email_invalid`. */
export function faultsOf(lead: Partial<Lead>): string[] {
	const checked = butForHoneypot.safeParse(lead);
	return checked.success ? [] : fieldErrors(checked.error, lead, copyIn(defaultLanguage)).map(({ code }) => code);
}
