import { type Lead, leadFields } from '../lead.ts';
import type { ReceivedLead } from '../message.ts';
import { textOf } from '../message.ts';
import type { Notice } from '../notice.ts';
import { noticeMessage } from '../notice.ts';
import type { StoredEntry } from '../store/store.ts';
import { deliveriesTable, deliveryData } from './deliveries.ts';
import { findEntry } from './find-entry.ts';
import { failed, type Report, type StoreContext } from './report.ts';
import { dateTime, isoTime } from './times.ts';

/** `show ID` */
export async function show({ leads, operand }: StoreContext): Promise<Report> {
	const entry = await findEntry(leads, operand!);
	if (typeof entry === 'string') return failed(entry);
	const { id, kind, receivedAt, state, deliveries } = entry;
	const head = [`${kind} ${id}`, `${state}, received ${dateTime(receivedAt)}`].join('\n');
	const parts = [head, contentText(entry), deliveries.length > 0 ? deliveriesTable(deliveries) : 'No deliveries.'];
	const content = JSON.parse(entry.payload) as object;
	const data = { ...content, id, kind, receivedAt: isoTime(receivedAt), state, deliveries: deliveries.map(deliveryData) };
	return { done: true, data, text: parts.join('\n\n') };
}

function contentText({ kind, payload }: StoredEntry): string {
	const content: unknown = JSON.parse(payload);
	if (kind === 'notice') return textOf(noticeMessage(content as Notice).rows);
	const received = content as ReceivedLead;
	return textOf([...fieldRows(received.lead), { name: 'evidence', label: 'Consent', value: consentOf(received) }]);
}

/** Of a quarantined lead any field may be missing, and the honeypot is not. */
const fieldRows = (lead: Partial<Lead>) =>
	leadFields.flatMap(({ name, title, control }) => {
		const value = lead[name];
		if (!value || control.kind === 'consent') return [];
		return [{ name, label: control.kind === 'honeypot' ? `${title} (hidden from people)` : title, value }];
	});

/** What stands as evidence: to which text, when, in which language, on which page. */
function consentOf({ receivedAt, noticeVersion, lead }: ReceivedLead): string {
	if ((lead as Partial<Lead>).consent !== 'on') return 'not given';
	const when = `given to the privacy notice of ${noticeVersion}, ${dateTime(Date.parse(receivedAt))}`;
	return [when, lead.lang && `language ${lead.lang}`, lead.source && `on ${lead.source}`].filter(Boolean).join(', ');
}
