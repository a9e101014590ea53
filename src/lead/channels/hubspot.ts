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

const fault = z.object({ message: z.string(), errorType: z.string().optional() });
const refusal = fault.extend({ errors: z.array(fault).optional() });

function judge(answer: WebhookAnswer): SendResult {
	const refused = readAnswer(refusal, answer.body);
	const faults = refused && (refused.errors ?? [refused]);
	const result = judgeWith(faults?.slice(0, 5).map(textOf).join('; '), answer);
	return result.ok && !readAnswer(z.object({}), answer.body) ? unproven(answer.status, 'JSON') : result;
}

/** HubSpot's own words. A message quotes values too, a visitor's or the form's id, and not all in quotation marks. */
const ownWords =
	/^(?:a|address|addresses|allowed|any|are|as|be|been|blocked|can't|cannot|captcha|consent|data|definition|does|email|enabled|error|exist|field|form|format|found|for|from|has|hutk|in|invalid|is|large|long|missing|must|no|not|number|of|on|one|option|options|or|page|phone|present|prevention|processing|range|receive|request|required|spam|submission|submissions|text|than|the|this|to|too|type|uri|url|valid|value|values|with|within|api)$/i;

/** Returns what a fault says, without what it quotes. */
function textOf({ message, errorType = '' }: z.output<typeof fault>): string {
	const [, path = '', rest = message] =
		/^Error in '((?:fields|context|legalConsentOptions)\.[\w./-]{1,80})'\.?(.*)$/s.exec(message.slice(0, 500)) ?? [];
	const name = `'${path.replace(/^fields\./, '')}'`;
	const isOwn = (word: string) => word === name || ownWords.test(word.replace(/^\(|[.,:)]+$/g, ''));
	const said = (rest.match(/\S+/g) ?? []).map((word) => (isOwn(word) ? word : '…')).join(' ');
	return [/^[A-Z_]{1,60}$/.test(errorType) && `${errorType}:`, path && `Error in '${path}'.`, said.replace(/…( …)+/g, '…')]
		.filter(Boolean)
		.join(' ');
}
