import type { Message } from '../../message/message.ts';
import { truncate } from '../../message/truncate.ts';
import { judgeStatus, type WebhookFormat } from '../webhook-format.ts';
import { type CrmFields, crmValues } from './crm-fields.ts';

/** The state of a lead that Salesforce answered 200: it does so to any, and makes the lead later, or not at all. */
export const UNCONFIRMED = 'taken, unconfirmed';

/** Salesforce: Web-to-Lead, the form that its setup generates (https://help.salesforce.com/s/articleView?id=sf.setting_up_web-to-lead.htm). */
export const salesforce = {
	name: 'salesforce',
	recognises: (url) => /(^|\.)salesforce\.com$/.test(url.hostname) && isForm(url),
	forPrograms: true,
	leadsOnly: true,
	faultOf: (url) =>
		isForm(url) && /^00D[a-z\d]{12}([a-z\d]{3})?$/i.test(organization(url))
			? undefined
			: 'must be the address of Web-to-Lead with the id of your organization, for example ' +
				'https://example.my.salesforce.com/servlet/servlet.WebToLead?encoding=UTF-8&oid=00D000000000001',
	request: (message, { url, crmFields }) => ({
		url,
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams([...valuesOf(message, crmFields), ['oid', organization(url)]]).toString(),
	}),
	judge(answer) {
		const result = judgeStatus(answer);
		return result.ok ? { ok: true, note: UNCONFIRMED } : result;
	},
} as const satisfies WebhookFormat;

const isForm = ({ pathname }: URL) => /^\/servlet\/servlet\.WebToLead$/i.test(pathname);

const organization = ({ searchParams }: URL) => searchParams.get('oid') ?? searchParams.get('orgId') ?? '';

/** Without these Salesforce makes no lead. Nobody can tell the parts of a name apart, so all of it is the last name. */
const required: CrmFields = { name: 'last_name', clinic: 'company' };
/** Salesforce's names for our fields. */
const names: CrmFields = { ...required, email: 'email', phone: 'phone', country: 'country', message: 'description' };

/** The lengths of its fields, where ours may be longer: with a longer value Salesforce makes no lead. */
const limits = { last_name: 80, email: 80 };

/** Returns the values to send. One that is too long stands in the description; its field gets the beginning, which of an address is none. */
function valuesOf(message: Message, set: CrmFields): Map<string, string> {
	const values = new Map([...crmValues(message, required), ...crmValues(message, { ...names, ...set })]);
	for (const [name, max] of Object.entries(limits)) {
		const value = values.get(name) ?? '';
		if (value.length <= max) continue;
		values.set('description', [values.get('description'), value].filter(Boolean).join('\n'));
		if (name === 'email') values.delete(name);
		else values.set(name, truncate(value, max));
	}
	return values;
}
