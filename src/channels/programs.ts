import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { origin } from '../facts/load.ts';
import { enteredFields, type Lead } from '../lead/lead.ts';
import { textOf, withoutIsolates } from './rows.ts';
import { format, readAnswer } from './webhook-format.ts';

/**
 * Any program, by Standard Webhooks (https://www.standardwebhooks.com): each try has the same id, but its own time and signature.
 * Without a secret there is no signature. Node.js itself sends the URL's user name and password (RFC 7617).
 */
export const json = format({
	name: 'json',
	forPrograms: true,
	faultOf: (url) =>
		hasSendableCredentials(url)
			? undefined
			: 'must have user name and password percent-encoded in UTF-8, without control characters and without a colon in the name, ' +
				'for example https://user:pass%25word@hooks.example.com/leads',
	bodyOf: ({ receivedAt, event }) => ({ type: event.type, timestamp: receivedAt, data: event.data }),
	headersOf({ id }, sent, secrets, now = Date.now()) {
		const time = Math.floor(now / 1000).toString();
		// One for each secret: while it is changed, the receiver may know only the old or only the new one.
		const signatures = secrets.map((secret) => {
			const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
			return `v1,${createHmac('sha256', key).update(`${id}.${time}.${sent}`).digest('base64')}`;
		});
		const signed = signatures.length > 0 && { 'webhook-signature': signatures.join(' ') };
		return { 'webhook-id': id, 'webhook-timestamp': time, ...signed };
	},
});

function hasSendableCredentials({ username, password }: URL): boolean {
	try {
		return !/\p{Cc}/u.test(decodeURIComponent(`${username}:${password}`)) && !/%3A/i.test(username);
	} catch {
		return false;
	}
}

/** Returns a webhook's URL without user name and password: its name has a short hash, which would show if a guess of them is right. */
export const withoutCredentials = (url: URL): string => Object.assign(new URL(url), { username: '', password: '' }).href;

/**
 * HubSpot: submissions to a form, without authentication
 * (https://developers.hubspot.com/docs/api-reference/legacy/marketing/forms/v3-legacy/submit-data-unauthenticated).
 */
export const hubspot = format({
	name: 'hubspot',
	recognises: ({ hostname }) => /^api(-[a-z]+\d+)?\.hsforms\.com$/.test(hostname),
	forPrograms: true,
	leadsOnly: true,
	faultOf: ({ pathname }) =>
		/^\/submissions\/v3\/integration\/submit\/\d+\/[\da-f-]{36}$/i.test(pathname)
			? undefined
			: 'must be the address of a HubSpot form with its portal and its id, for example ' +
				'https://api.hsforms.com/submissions/v3/integration/submit/1234567/01234567-89ab-cdef-0123-456789abcdef',
	bodyOf({ lead, rows, receivedAt, consentWording: text }) {
		const { name, clinic, email, phone, country, source, consent }: Partial<Lead> = lead ?? {};
		const told = rows.filter((row) => inMessage.has(row.name!));
		const message = told.some((row) => row.name !== 'message') ? withoutIsolates(textOf(told)) : lead?.message;
		// HubSpot's names of the fields. No program can tell the parts of a name apart, so all of it is the last name.
		const values = { lastname: name, company: clinic, email, phone, country, message };
		const time = Date.parse(receivedAt);
		return {
			// `0-1` is the type of contacts. Companies have another.
			fields: Object.entries(values).flatMap(([field, value]) => (value ? [{ objectTypeId: '0-1', name: field, value }] : [])),
			submittedAt: Date.now() - time < OLDEST_MS ? String(time) : undefined,
			// HubSpot refuses a page that is no URL, and a visitor's program may send any source.
			context: { pageUri: source && page.test(source) ? origin + source : undefined, pageName: source },
			legalConsentOptions: consent === 'on' ? { consent: { consentToProcess: true, text, communications: [] } } : undefined,
		};
	},
	proof: 'JSON',
	read(body) {
		const errors = z.array(z.object({ message: z.string(), errorType: z.string() })).catch([]);
		const answer = readAnswer(z.object({ errors }), body);
		// The rest of a message quotes values, also a visitor's.
		const faults = answer?.errors.slice(0, 5).map(({ message, errorType }) => {
			const [, field = ''] = /^Error in '(?:fields\.)?([\w./-]{1,80})'/.exec(message) ?? [];
			return `${/^[A-Z_]{1,60}$/.test(errorType) ? errorType : '…'} ${field}`.trim();
		});
		return { accepted: answer !== undefined, fault: faults?.join(', ') || undefined };
	},
});

/** The rows of HubSpot's message: beside it why a lead looks like spam, and the fields that a contact lacks. */
const inMessage = new Set<string>(['spam', ...enteredFields.map(({ name }) => name)]).difference(
	new Set(['name', 'clinic', 'email', 'phone', 'country']),
);

/** HubSpot refuses a submission that is more than a month old. */
const OLDEST_MS = 27 * 24 * 3600_000;

/** A page of ours, with the topic of a price card. */
const page = /^\/[\w/-]*(\?topic=\w+)?$/;
