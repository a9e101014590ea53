import type { Channel } from './channel.ts';
import { mailOf, type MailParties } from './mail.ts';
import { type DkimKey, smtp } from './smtp.ts';

/** Mails the lead to the sales team. Parameters as for {@link smtp}. */
export function email(url: string, parties: MailParties, dkim?: DkimKey): Channel {
	const sendMail = smtp(url, dkim);
	return { name: 'email', send: (message, signal) => sendMail(mailOf(message, parties), signal) };
}
