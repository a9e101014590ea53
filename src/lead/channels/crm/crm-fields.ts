import { type FieldName, leadFields } from '../../lead.ts';
import type { Message } from '../../message/message.ts';

/** A CRM's names for our fields. Without a name a field is not sent. */
export type CrmFields = Partial<Record<FieldName, string>>;

/** Our fields that a CRM may get. */
export const crmFieldNames = leadFields.filter(({ kind }) => kind !== 'consent' && kind !== 'honeypot').map(({ name }) => name);

/** Returns a lead's values by the CRM's names. Values with the same name stand on lines of their own. */
export function crmValues({ lead, rows }: Message, names: CrmFields): Map<string, string> {
	const values = new Map<string, string>();
	const mark = rows.find(({ name }) => name === 'spam');
	const message = [mark && `${mark.label}: ${mark.value}`, lead?.message].filter(Boolean).join('\n');
	const own: Record<string, unknown> = { ...lead, message };
	for (const name of crmFieldNames) {
		const [theirs, value] = [names[name], own[name]];
		if (theirs && value) values.set(theirs, [values.get(theirs), value].filter(Boolean).join('\n'));
	}
	return values;
}
