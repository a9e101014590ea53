import { defaultLanguage } from '../../facts/load.ts';
import { fieldErrors } from './field-error.ts';
import { type Lead, type LeadField, leadFields, leadSchema } from '../lead.ts';
import { cutTo, fits, isFarOver } from '../length.ts';

/** In code points: how much is kept of what fills the honeypot, which has no limit of its own. */
const HONEYPOT_LENGTH = 200;

/**
 * What is kept of a submission that filled the honeypot: text, cleaned as in any lead, and of other fields what is valid. Text within
 * its limit is whole; what is not is cut, and stays too long. Text was not checked any further, and anything may be missing.
 */
export function quarantinedLead(submission: Record<string, unknown>): Partial<Lead> {
	const fields = leadFields.map((field) => [field.name, kept(field, submission[field.name])]);
	return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== '')) as Partial<Lead>;
}

function kept({ clean, maxLength = HONEYPOT_LENGTH, schema }: LeadField, value: unknown): unknown {
	// Compared as it is: cleaned, it could become a consent that nobody gave.
	if (clean === undefined) return schema.safeParse(value).data;
	if (typeof value !== 'string') return undefined;
	const farOver = isFarOver(value, maxLength);
	const text = clean(farOver ? cutTo(value.trim(), 2 * maxLength) : value);
	if (fits(text, maxLength) && !farOver) return text;
	// Cleaning may leave a text within its limit that was far over it. It was no lead, so what is kept must not look like one.
	return `${cutTo(text, maxLength).padEnd(maxLength, '…')}…`;
}

const butForHoneypot = leadSchema.omit({ website: true });

/**
 * What keeps a quarantined submission from being a lead, but for the honeypot: error codes such as `email_invalid`. Whether mail could
 * be sent to the address is left to whoever releases it: more addresses were taken once, and what lies there with one is no less a lead.
 */
export function faultsOf(lead: Partial<Lead>): string[] {
	const checked = butForHoneypot.safeParse(lead);
	const codes = checked.success ? [] : fieldErrors(checked.error, 'program', defaultLanguage).map(({ code }) => code);
	return codes.filter((code) => code !== 'email_invalid' || !looksLikeAddress.test(lead.email ?? ''));
}

const looksLikeAddress = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\]+$/;
