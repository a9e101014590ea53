import type { Channel, Delivery } from './channel.ts';
import { mailOf, type MailParties, type MailSender, mailToVisitor } from './mail.ts';
import { type DkimKey, refusedSender, smtp } from './smtp.ts';
import { service } from '../../facts/load.ts';
import type { Message } from '../message/message.ts';

/** Mails the lead to the sales team. Parameters as for {@link smtp}. */
export function email(url: string, parties: MailParties, dkim?: DkimKey): Channel {
	const sendMail = smtp(url, dkim);
	return { name: 'email', send: (message, ...rest) => sendMail(mailOf(message, parties), ...rest) };
}

/** In milliseconds: how long after the lead a confirmation is still sent. */
const LIFETIME = 3600_000;

/**
 * The way to confirm to a visitor, by mail, that their message came in. It is a courtesy: what would come too late is not sent, what is
 * refused for good is not tried again, and both count as done, so that nobody has to look after them.
 */
export function visitorMail(url: string, sender: MailSender, dkim?: DkimKey): Channel {
	const sendMail = smtp(url, dkim);
	return { name: 'confirmation', send };

	async function send(message: Message, signal: AbortSignal): Promise<Delivery> {
		if (message.to === undefined || Date.now() - Date.parse(message.receivedAt) > LIFETIME)
			return { ok: true, note: 'not sent: it is too late' };
		const delivery = await sendFrom('');
		return delivery.ok || !delivery.permanent ? delivery : { ok: true, note: `not sent: ${delivery.reason}` };

		/** To the null sender (RFC 3834 section 3.3) no bounce or automatic answer comes back. A relay that refuses it gets ours. */
		async function sendFrom(envelopeFrom: string): Promise<Delivery> {
			const mail = mailToVisitor(message, { from: sender, replyTo: service.emails.sales, envelopeFrom });
			const delivery = await sendMail(mail, signal);
			return refusedSender(delivery) && envelopeFrom === '' ? sendFrom(sender.address) : delivery;
		}
	}
}
