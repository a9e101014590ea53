import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { origin } from '../facts/load.ts';
import { format, readAnswer } from './webhook-format.ts';

/**
 * Any program, by Standard Webhooks (https://www.standardwebhooks.com): each try has the same id, but its own time and signature.
 * Without a secret there is no signature.
 */
export const json = format({
	name: 'json',
	forPrograms: true,
	faultOf: (url) => (credentialsIn(url) === undefined ? BAD_CREDENTIALS : undefined),
	addressOf: (url) => new URL(withoutCredentials(url)),
	bodyOf: ({ receivedAt, event }) => ({ type: event.type, timestamp: receivedAt, data: event.data }),
	headersOf({ id }, sent, { url, secrets }) {
		const credentials = credentialsIn(url)!;
		const time = Math.floor(Date.now() / 1000).toString();
		// One for each secret: during a rotation the receiver may know only the old or only the new one.
		const signatures = secrets.map((secret) => {
			const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
			return `v1,${createHmac('sha256', key).update(`${id}.${time}.${sent}`).digest('base64')}`;
		});
		return {
			...(credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
			'webhook-id': id,
			'webhook-timestamp': time,
			...(signatures.length > 0 ? { 'webhook-signature': signatures.join(' ') } : {}),
		};
	},
});

/** Returns a webhook's URL without user name and password, which give it no name: a short hash of it would show if a guess is right. */
export const withoutCredentials = (url: URL): string => Object.assign(new URL(url), { username: '', password: '' }).href;

const BAD_CREDENTIALS =
	'must have user name and password percent-encoded in UTF-8, without control characters and without a colon in the name, for example https://user:pass%25word@hooks.example.com/leads';

/** Returns user name and password as a header joins them (RFC 7617): `:` without both. Undefined if no header can have them. */
function credentialsIn({ username, password }: URL): string | undefined {
	try {
		const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
		return /\p{Cc}/u.test(credentials) || /%3A/i.test(username) ? undefined : credentials;
	} catch {
		return undefined;
	}
}

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
		const time = Date.parse(receivedAt);
		const mark = rows.find(({ name }) => name === 'spam');
		const message = [mark && `${mark.label}: ${mark.value}`, lead?.message].filter(Boolean).join('\n');
		const values: Partial<Record<keyof typeof contactNames, string>> = { ...lead, message };
		return {
			fields: Object.entries(contactNames).flatMap(([field, name]) => {
				const value = values[field as keyof typeof contactNames];
				// The contact, and not its company.
				return value ? [{ objectTypeId: '0-1', name, value }] : [];
			}),
			submittedAt: Date.now() - time < OLDEST ? String(time) : undefined,
			// HubSpot refuses a page that is no URL, and a visitor's program may send any source.
			context: { pageUri: page.test(lead?.source ?? '') ? origin + lead!.source! : undefined, pageName: lead?.source },
			legalConsentOptions: lead?.consent === 'on' ? { consent: { consentToProcess: true, text, communications: [] } } : undefined,
		};
	},
	proof: 'JSON',
	read: (body) => ({
		taken: readAnswer(z.object({}), body) !== undefined,
		fault: readAnswer(hubspotFaults, body),
	}),
});

/** HubSpot's names for our fields. Nobody can tell the parts of a name apart, so all of it is the last name. */
const contactNames = {
	name: 'lastname',
	clinic: 'company',
	email: 'email',
	phone: 'phone',
	country: 'country',
	message: 'message',
};

/** In milliseconds. HubSpot refuses a submission that is more than a month old. */
const OLDEST = 27 * 24 * 3600_000;

/** A page of ours, with the topic of a price card. */
const page = /^\/[\w/-]*(\?topic=\w+)?$/;

/** Reads the kind of a fault and its field. The rest of a message quotes values, also a visitor's. */
const hubspotFault = z.object({ message: z.string(), errorType: z.string() }).transform(({ message, errorType }) => {
	const [, field = ''] = /^Error in '(?:fields\.)?([\w./-]{1,80})'/.exec(message) ?? [];
	return `${/^[A-Z_]{1,60}$/.test(errorType) ? errorType : '…'} ${field}`.trim();
});

const hubspotFaults = z.object({ errors: z.array(hubspotFault) }).transform(({ errors }) => errors.slice(0, 5).join(', '));
