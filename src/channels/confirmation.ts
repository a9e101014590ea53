import { countText, fillWords } from '../facts/language.ts';
import { copyIn, service } from '../facts/load.ts';
import type { Message } from './message.ts';

/** Tells a visitor that their message came in. It holds nothing that they wrote, except for the address and the language. */
export interface Confirmation {
	/** UUID; not the lead's. */
	id: string;
	/** When the lead was received: ISO 8601, UTC. */
	receivedAt: string;
	address: string;
	language: string;
}

/** Returns the confirmation as the visitor reads it. */
export const confirmationMessage = ({ id, receivedAt, address, language }: Confirmation): Message => ({
	id,
	receivedAt,
	language,
	subject: copyIn(language).confirmation.subject,
	text: textIn(language),
	rows: [],
	to: address,
	event: { type: 'confirmation', data: {} },
});

/** Says how fast the answer comes, where to book a time, and who writes, as far as the facts have it. */
function textIn(language: string): string {
	const { confirmation, next } = copyIn(language);
	const { answerWorkingDays: days, bookingUrl: url, legalName, company, address, register } = service;
	const text = fillWords(confirmation.text, {
		answer: days ? countText(next.answer, days, language) : '',
		booking: url ? fillWords(confirmation.booking, { url }) : '',
	});
	const imprint = [legalName ?? company, address, register].filter(Boolean).join('\n');
	return `${text}\n\n${imprint}`.replace(/ *\n{2,}/g, '\n\n');
}
