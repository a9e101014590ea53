import { failure, type Report } from '../command.ts';
import { alignRows, dateTime, isoTime } from '../printing.ts';
import { defaultLanguage } from '../../facts/load.ts';
import type { Confirmation } from '../../lead/message/confirmation.ts';
import { type AnyNotice, ownerName } from '../../lead/message/entry-message.ts';
import { fieldRows, inPlaces, type Row } from '../../lead/message/field-rows.ts';
import { type ReceivedLead, senderRows } from '../../lead/message/message.ts';
import { noticeMessage } from '../../lead/message/notice.ts';
import type { Lead } from '../../lead/lead.ts';
import { reasonsIn } from '../../lead/spam/judgement.ts';
import type { KeyStore } from '../../lead/store/key-store.ts';
import type { StoredEntry } from '../../lead/store/store.ts';
import { quarantineMessage } from '../../lead/message/quarantine-notice.ts';
import type { StoreContext } from './context.ts';
import { deliveriesTable, deliveryData, findEntry } from './entries.ts';

/** `show ID` */
export async function show({ leads, operand, language }: StoreContext): Promise<Report> {
	const entry = await findEntry(leads, operand!);
	if (typeof entry === 'string') return failure(entry);
	const { id, kind, receivedAt, state, spam, deliveries } = entry;
	const head = [`${kind} ${id}`, `${state}, received ${dateTime(receivedAt)}`].join('\n');
	const parts = [
		head,
		await contentText(entry, leads.keys, language),
		deliveries.length > 0 ? deliveriesTable(deliveries) : 'No deliveries.',
	];
	const content = JSON.parse(entry.payload) as object;
	const data = { ...content, id, kind, receivedAt: isoTime(receivedAt), state, spam, deliveries: deliveries.map(deliveryData) };
	return { done: true, data, text: parts.join('\n\n') };
}

async function contentText({ kind, payload, spam }: StoredEntry, keys: KeyStore, language: string): Promise<string> {
	const verdict = spam && [{ name: 'verdict', label: 'Verdict', value: [spam.verdict, ...reasonsIn(language, spam)].join('\n') }];
	return alignRows([...(await rowsOf[kind](JSON.parse(payload), keys)), ...(verdict ?? [])]);
}

/** The payload was checked before it was saved, so it is not checked again. */
const rowsOf: Record<StoredEntry['kind'], (content: unknown, keys: KeyStore) => Row[] | Promise<Row[]>> = {
	lead: (content, keys) => leadRows(content as ReceivedLead, keys),
	notice: (content) => noticeRows(content as AnyNotice),
	confirmation: (content) => confirmationRows(content as Confirmation),
};

const noticeRows = (notice: AnyNotice) => ('channel' in notice ? noticeMessage(notice) : quarantineMessage(notice, [])).rows;

const confirmationRows = ({ address, language }: Confirmation) => [
	{ name: 'address', label: 'To', value: address },
	{ name: 'language', label: 'Language', value: language },
];

const leadRows = async (received: ReceivedLead, keys: KeyStore) =>
	inPlaces([
		...fieldRows(received.lead, defaultLanguage).map((row) =>
			row.name === 'website' ? Object.assign(row, { label: 'Honeypot' }) : row,
		),
		...senderRows(received.apiKey, await ownerName(received, keys), defaultLanguage),
		{ name: 'evidence', label: 'Consent', value: consentOf(received), place: 'last' },
	]).flat();

/** Describes the evidence of consent: the text, the time, the language and the page. */
function consentOf({ receivedAt, noticeVersion, consentWording, lead }: ReceivedLead): string {
	if ((lead as Partial<Lead>).consent !== 'on') return 'not given';
	const when = `given to the privacy notice of ${noticeVersion}, ${dateTime(Date.parse(receivedAt))}`;
	return [when, `“${consentWording}”`, lead.lang && `language ${lead.lang}`, lead.source && `on ${lead.source}`]
		.filter(Boolean)
		.join(', ');
}
