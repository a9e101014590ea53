import type { Channel, SendResult } from './channel.ts';
import { mailOf, type MailParties, type MailSender, mailToVisitor } from './mail.ts';
import { refusedSender, smtp } from './smtp.ts';
import { service } from '../../facts/load.ts';
import type { Message } from '../message/message.ts';

/** Mails the lead to the sales team. Parameters as for {@link smtp}. */
export function email(url: string, parties: MailParties): Channel {
	const sendMail = smtp(url);
	return { name: 'email', send: (message, signal) => sendMail(mailOf(message, parties), signal) };
}

/** The name of the channel for confirmations. */
export const CONFIRMATION = 'confirmation';

/** In milliseconds: no confirmation is sent later than this after the lead. */
const LIFETIME = 3600_000;

/**
 * Confirms to a visitor, by mail, that their message came in. A confirmation is a courtesy: a late one is not sent, and one that
 * is refused for good is not tried again. Both count as done, so that no operator has to act.
 */
export function visitorMail(url: string, sender: MailSender): Channel {
	const sendMail = smtp(url);
	return { name: CONFIRMATION, send };

	async function send(message: Message, signal: AbortSignal): Promise<SendResult> {
		if (message.to === undefined || Date.now() - Date.parse(message.receivedAt) > LIFETIME)
			return { ok: true, note: 'not sent: it is too late' };
		const result = await sendFrom('');
		return result.ok || !result.permanent ? result : { ok: true, note: `not sent: ${result.reason}` };

		/** The null sender gets no bounce or automatic answer (RFC 3834 section 3.3). A relay that refuses it gets our address. */
		async function sendFrom(envelopeFrom: string): Promise<SendResult> {
			const mail = mailToVisitor(message, { from: sender, replyTo: service.emails.sales, envelopeFrom });
			const result = await sendMail(mail, signal);
			return refusedSender(result) && envelopeFrom === '' ? sendFrom(sender.address) : result;
		}
	}
}
