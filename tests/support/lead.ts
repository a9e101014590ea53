import { createSecretKey } from 'node:crypto';
import { exampleLead, type Lead, leadSchema } from '../../src/lead/lead.ts';
import { type Message, messageOf, type ReceivedLead } from '../../src/channels/message.ts';
import type { WebhookTarget } from '../../src/channels/webhook-format.ts';

/** The optional fields that tests name. A field that is added has no part in tests of what messages say. */
const named = /^(phone|country|lang|source)$/;

/** Returns a lead with these fields, as the schema returns it. `fields` replace some. */
export function leadWith(fields: Partial<Record<keyof Lead, string>> = {}): Lead {
	const example = exampleLead(({ name, required }) => required || named.test(name));
	return leadSchema.parse({ ...example, message: 'We miss about ten calls a day.\n\nCan you take them?', ...fields });
}

export function receivedLead(fields: Partial<Record<keyof Lead, string>> = {}): ReceivedLead {
	const taken = { receivedAt: '2026-11-21T09:30:00.000Z', noticeVersion: '2026-11-01', consentWording: 'I agree.' };
	return { id: '5f0c4f0e-6f6c-4d8e-9a55-0d3c7a1b2c3d', ...taken, lead: leadWith(fields) };
}

export const team = { language: 'en', timeZone: 'UTC' };
/** The key of the links in messages. */
export const linkSecret = createSecretKey(Buffer.alloc(32));

export const messageWith = (fields: Partial<Record<keyof Lead, string>> = {}): Message => messageOf(receivedLead(fields), team);

export const parties = {
	from: { name: 'Our website', address: 'website@website.test' },
	to: ['sales@website.test', 'lead@website.test'],
};

export function targetAt(url: string, options: Partial<WebhookTarget> = {}): WebhookTarget {
	return { url: new URL(url), secrets: [], inMail: true, freeText: true, ...options };
}
