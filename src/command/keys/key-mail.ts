import { type Delivery, TRY_TIMEOUT } from '../../lead/channels/channel.ts';
import type { ChannelSettings } from '../../lead/channels/index.ts';
import { mailToOwner } from '../../lead/channels/mail.ts';
import { smtp } from '../../lead/channels/smtp.ts';
import type { NewApiKey } from '../../lead/store/key-store.ts';
import { service } from '../../facts/load.ts';
import type { Reply } from './reply.ts';

/** Mails a key to its owner. Never throws. */
export type KeyMail = (reply: Reply, key: NewApiKey) => Promise<Delivery>;

/** Returns the function that mails keys, or undefined without a mail server. */
export function keyMailOf({ smtp: url, email, dkim }: Pick<ChannelSettings, 'smtp' | 'email' | 'dkim'>): KeyMail | undefined {
	if (url === undefined || email.from === undefined) return undefined;
	const sendMail = smtp(url, dkim);
	const parties = { from: { name: service.name, address: email.from }, replyTo: service.emails.sales };
	return (reply, { id, owner, madeAt }) => {
		const message = { ...reply, id, receivedAt: new Date(madeAt).toISOString(), event: { type: 'key.issued' } };
		return sendMail(mailToOwner(message, { ...parties, to: owner.email }), AbortSignal.timeout(TRY_TIMEOUT));
	};
}
