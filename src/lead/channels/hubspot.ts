import * as z from 'zod';
import { origin } from '../../facts/load.ts';
import type { Message } from '../message/message.ts';
import type { SendResult } from './channel.ts';
import { jsonPost, judgeWith, readAnswer, unproven, type WebhookAnswer, type WebhookFormat } from './webhook-format.ts';

/**
 * HubSpot: submissions to a form, without authentication
 * (https://developers.hubspot.com/docs/api-reference/legacy/marketing/forms/v3-legacy/submit-data-unauthenticated).
 */
export const hubspot = {
	name: 'hubspot',
	recognises: ({ hostname }) => /^api(-[a-z]+\d+)?\.hsforms\.com$/.test(hostname),
	forPrograms: true,
	leadsOnly: true,
	faultOf: ({ pathname }) =>
		/^\/submissions\/v3\/integration\/submit\/\d+\/[\da-f-]{36}$/i.test(pathname)
			? undefined
			: 'must be the address of a HubSpot form with its portal and its id, for example ' +
				'https://api.hsforms.com/submissions/v3/integration/submit/1234567/01234567-89ab-cdef-0123-456789abcdef',
	request: (message, { url }) => jsonPost(url, bodyOf(message)),
	judge,
} as const satisfies WebhookFormat;

/** HubSpot's names for our fields. Nobody can tell the parts of a name apart, so all of it is the last name. */
const names = {
	name: 'lastname',
	clinic: 'company',
	email: 'email',
	phone: 'phone',
	country: 'country',
	message: 'message',
} as const;

/** In milliseconds. HubSpot refuses a submission that is more than a month old. */
const OLDEST = 27 * 24 * 3600_000;

/** A page of ours, with the topic of a price card. */
const page = /^\/[\w/-]*(\?topic=\w+)?$/;

function bodyOf({ lead, rows, receivedAt, consentWording: text }: Message) {
	const time = Date.parse(receivedAt);
	const mark = rows.find(({ name }) => name === 'spam');
	const message = [mark && `${mark.label}: ${mark.value}`, lead?.message].filter(Boolean).join('\n');
	const values: Partial<Record<keyof typeof names, string>> = { ...lead, message };
	return {
		fields: Object.entries(names).flatMap(([field, name]) => {
			const value = values[field as keyof typeof names];
			// The contact, and not its company.
			return value ? [{ objectTypeId: '0-1', name, value }] : [];
		}),
		submittedAt: Date.now() - time < OLDEST ? String(time) : undefined,
		// HubSpot refuses a page that is no URL, and a visitor's program may send any source.
		context: { pageUri: page.test(lead?.source ?? '') ? origin + lead!.source! : undefined, pageName: lead?.source },
		legalConsentOptions: lead?.consent === 'on' ? { consent: { consentToProcess: true, text, communications: [] } } : undefined,
	};
}

const fault = z.object({ message: z.string(), errorType: z.string() });

function judge(answer: WebhookAnswer): SendResult {
	const refused = readAnswer(z.object({ errors: z.array(fault) }), answer.body);
	const result = judgeWith(refused?.errors.slice(0, 5).map(codeOf).join(', '), answer);
	return result.ok && !readAnswer(z.object({}), answer.body) ? unproven(answer.status, 'JSON') : result;
}

/** Returns the kind of a fault and its field. The rest of a message quotes values, also a visitor's. */
function codeOf({ message, errorType }: z.output<typeof fault>): string {
	const [, field = ''] = /^Error in '(?:fields\.)?([\w./-]{1,80})'/.exec(message) ?? [];
	return `${/^[A-Z_]{1,60}$/.test(errorType) ? errorType : '…'} ${field}`.trim();
}
