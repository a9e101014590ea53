import { defaultLanguage, service } from '../../facts/load.ts';
import { type Judgement, reasonsIn } from '../spam/judgement.ts';
import { type Message, type ReceivedLead, shortId } from './message.ts';
import { type Row, textOf } from './field-rows.ts';

/**
 * Tells the sales team of possible leads: there may be clinics among them, since password managers fill the honeypot too. Their names
 * are read from the store when the notice is sent, so that nothing of a person is kept twice.
 */
export interface QuarantineNotice {
	/** UUID. */
	id: string;
	/** ISO 8601, UTC. */
	receivedAt: string;
	/** The number of possible leads since the last notice, 5,000 at most. */
	number: number;
}

/** In milliseconds: possible leads that come after a notice are in the next one, this much later. */
export const NOTICE_PAUSE = 24 * 3600_000;

/** The most possible leads that a notice shows. The list has the others. */
export const SHOWN = 20;

/**
 * Returns the notice as the channels deliver it: mail names the possible leads with their reasons, chat has only their number.
 *
 * @param leads those that are still in quarantine
 * @param language of the reasons
 */
export function quarantineMessage(
	{ id, receivedAt, number }: QuarantineNotice,
	leads: HeldLead[],
	language = defaultLanguage,
): Message {
	const rows: Row[] = [
		{ name: 'number', label: 'Number', value: String(number) },
		{ name: 'reason', label: 'Reason', value: 'They look like spam, and may be none. Each has its own reasons.' },
		{ name: 'advice', label: 'What to do', value: ADVICE },
		...leads.map((held, index) => leadRow(held, index + 1, language)),
	];
	return {
		id,
		receivedAt,
		language: defaultLanguage,
		subject: `${service.name}: ${number === 1 ? '1 possible lead was' : `${number} possible leads were`} taken for spam`,
		rows,
		text: textOf(rows),
		event: { type: 'leads.quarantined', data: { id, receivedAt, number } },
	};
}

const ADVICE =
	'Look at them with: npm run leads -- list --state quarantined --long\nDeliver each that is real with the command release.';

/** A lead in quarantine. */
export interface HeldLead extends ReceivedLead {
	/** Why it is there. */
	spam?: Judgement | undefined;
}

const leadRow = ({ id, lead, spam }: HeldLead, turn: number, language: string): Row => ({
	name: `lead-${turn}`,
	label: `Possible lead ${turn}`,
	value: [
		lead.name,
		lead.clinic,
		lead.email,
		...(spam ? reasonsIn(language, spam) : []),
		`npm run leads -- release ${shortId(id)}`,
	]
		.filter(Boolean)
		.join('\n'),
	inChat: false,
});
