import { service } from '../service/load.ts';
import { type FieldName, type Lead, leadFields } from './lead.ts';

/** A lead as it was received: what the sales team is told, and what stands as evidence of consent. */
export interface ReceivedLead {
	/** UUID; `Message-ID` and webhook id are made from it, and so stay the same over retries. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
	/** Version of the privacy notice that the visitor agreed to. */
	noticeVersion: string;
	lead: Lead;
}

/** What every channel tells of a lead, each in its own form. All values may hold whatever a visitor wrote. */
export interface Message {
	id: string;
	receivedAt: string;
	/** One line: who, and where from. */
	subject: string;
	/** Every field that was given, then consent and time: label and value. */
	rows: { name: FieldName | 'consent' | 'received'; label: string; value: string }[];
	/** The rows as plain text. */
	text: string;
	/** Whom to answer. */
	replyTo: { name: string; address: string };
	/** The bare lead, for programs. */
	received: ReceivedLead;
}

const SUBJECT_LENGTH = 120;

/** The message of a lead. */
export function messageOf(received: ReceivedLead): Message {
	const { id, receivedAt, lead } = received;
	const rows = [
		...leadFields.flatMap(({ name, title }) => {
			const value = lead[name];
			return !value || name === 'consent' ? [] : [{ name, label: title, value }];
		}),
		{ name: 'consent' as const, label: 'Consent', value: `Agreed to the privacy notice of ${received.noticeVersion}` },
		{ name: 'received' as const, label: 'Received', value: receivedAt },
	];
	return {
		id,
		receivedAt,
		subject: subjectOf(lead),
		rows,
		text: rows.map(({ label, value }) => (value.includes('\n') ? `${label}:\n${value}\n` : `${label}: ${value}`)).join('\n'),
		replyTo: { name: lead.name, address: lead.email },
		received,
	};
}

function subjectOf({ name, clinic, country }: Lead): string {
	const who = [...`${service.name} lead: ${[name, clinic, country].filter(Boolean).join(', ')}`];
	return who.length > SUBJECT_LENGTH ? `${who.slice(0, SUBJECT_LENGTH - 1).join('')}…` : who.join('');
}
