import type { KeyObject } from 'node:crypto';
import type { Copy } from '../facts/words.ts';
import { countText, textFor } from '../facts/language.ts';
import { copyIn, service, wordsIn } from '../facts/load.ts';
import { isSigned, keyedHash } from './email-address.ts';
import { exampleLead, type Lead, type LeadField, leadFields, leadSchema } from './lead.ts';

/** Returns the words of the contact page. For a request for API access, its own words replace the general ones. */
export function contactCopy(language: string, accessRequest: boolean): Copy {
	const copy = copyIn(language);
	if (!accessRequest) return copy;
	const { title, description, introduction, fields } = copy.accessRequest;
	return { ...copy, title, description, introduction, fields: { ...copy.fields, ...fields } };
}

/** Returns a field's words for visitors: its own, if `contact.yaml` has none, as in English. @param copy those of the page, if they differ from the language's */
export function wordsOf({ name, label, choices }: LeadField, language: string, copy: Pick<Copy, 'fields'> = copyIn(language)) {
	const own = copy.fields[name];
	const words = { ...choices, ...own?.choices };
	return { label: own?.label ?? label, hint: own?.hint, choices: new Map(Object.entries(words)) };
}

/** Returns a field's short name, for the sales team. */
export const nameOf = (field: LeadField, language: string): string => wordsIn(language).fieldNames[field.name] ?? field.label;

export const consentField = leadFields.find(({ kind }) => kind === 'consent')!;

/** Returns the words that a person agrees to. */
export const consentWording = (language: string): string => wordsOf(consentField, language).label;

/** Returns what happens to a message, a sentence for each step. `{email}` stands for the sales address. */
export function nextSteps(language: string): string[] {
	const { steps, answer } = copyIn(language).next;
	const days = service.answerWorkingDays;
	return [...steps, days ? countText(answer, days, language) : '', textFor(service.demo, language)].filter(Boolean);
}

/** Returns a lead that says that no visitor sent it. An answer to it goes to the sales team. */
export const testLead = (source: string): Lead =>
	leadSchema.parse({
		...exampleLead(({ required }) => required),
		name: 'TEST lead',
		clinic: 'no clinic: this is a test',
		email: service.emails.sales,
		message: 'The operator has sent this to see whether leads arrive here. It needs no answer.',
		source,
	});

/** How old a canary may be. It may come from the future by as much, because clocks differ. */
const CANARY_LIFETIME_MS = 10 * 60_000;

/**
 * Returns a canary: a lead that the operator sends to see that leads arrive. It shows nothing of the secret. Its phone is too long for a
 * lead, so that a server with another secret refuses it.
 * @param secret of the server and the operator: `CANARY_SECRET`
 * @param id visible ASCII, another one for each canary
 */
export function canaryLead(id: string, secret: KeyObject): Lead {
	const name = `${id} ${Date.now()}`;
	const message = `The operator’s canary.\n${name} ${keyedHash(secret, 'canary', name)}`;
	return { ...testLead(''), name: `Canary ${id}`, phone: '0'.repeat(99), message };
}

/** Returns the name of a canary, if it is signed with the secret and not older than {@link CANARY_LIFETIME_MS}. All else is a lead. */
export function canaryName(submission: unknown, secret: KeyObject): string | undefined {
	const { message } = Object(submission) as { message?: unknown };
	const [, name = '', time, sign = ''] = (typeof message === 'string' && /\n(\S+ (\d+)) (\S+)$/.exec(message)) || [];
	const isNow = Math.abs(Date.now() - Number(time)) <= CANARY_LIFETIME_MS;
	return isNow && isSigned(sign, secret, 'canary', name) ? name : undefined;
}
