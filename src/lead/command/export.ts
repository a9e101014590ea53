import { type Lead, leadFields } from '../lead.ts';
import type { ReceivedLead } from '../message.ts';
import type { StoredEntry } from '../store/store.ts';
import { csv } from './csv.ts';
import type { Report, StoreContext } from './report.ts';

const columns = ['id', 'receivedAt', 'state', 'noticeVersion', ...leadFields.map(({ name }) => name)];

/** `export`: JSON Lines (https://jsonlines.org), or CSV. Newest first. */
export async function exportLeads({ leads, values }: StoreContext): Promise<Report> {
	const entries = (await leads.list({ state: values.state })).filter(({ kind }) => kind === 'lead');
	const records = entries.map(recordOf);
	const text = values.csv
		? csv([columns, ...records.map((record) => columns.map((column) => record[column] ?? ''))])
		: records.map((record) => `${JSON.stringify(record)}\n`).join('');
	return { done: true, text };
}

/** Flat: no field of a lead has the name of one of ours. */
function recordOf({ state, payload }: StoredEntry): Record<string, string | undefined> {
	const { id, receivedAt, noticeVersion, lead } = JSON.parse(payload) as ReceivedLead & { lead: Partial<Lead> };
	return { id, receivedAt, state, noticeVersion, ...lead };
}
