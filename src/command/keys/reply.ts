import { dateTime } from '../printing.ts';
import type { ApiKey, NewApiKey } from '../../lead/store/key-store.ts';
import { links, origin, service } from '../../facts/load.ts';
import { limitWords } from '../../values/rate-limit-policy.ts';
import { type SendResult, TRY_TIMEOUT } from '../../lead/channels/channel.ts';
import type { ChannelSettings } from '../../lead/channels/index.ts';
import { mailToOwner } from '../../lead/channels/mail.ts';
import { smtp } from '../../lead/channels/smtp.ts';

/**
 * Returns the reply to the owner: the key, and all that is needed to use it.
 *
 * @param key the key itself, which is stored nowhere
 * @param old the key that it replaces, with its new end
 */
export function replyOf(key: string, made: NewApiKey, old?: Pick<ApiKey, 'id' | 'endsAt'>) {
	const kind = made.test ? 'API test key' : 'API key';
	const parts = [
		`Hello ${made.owner.name},`,
		`this is your ${kind} for ${service.name}. We keep only a hash of it and cannot show it again: put it where your program keeps its secrets.`,
		`  ${key}`,
		made.test && `It is for tests: nothing that is sent with it is kept or delivered.`,
		old && `It takes the place of your key ${old.id}, which ${endOf(old)}.`,
		termsOf(made),
		`Send it in this header, to ${origin} only, and over https only:`,
		`  Authorization: Bearer ${key}`,
		`That is all: no token has to be fetched from an authorization server. The calls are described at ${links.authMd}.`,
		`If somebody else may have seen the key, write to ${service.emails.security} at once, with its name and without the key itself: we revoke it and send you another. With any other question, write to ${service.emails.sales}.`,
	];
	return { subject: `Your ${service.name} ${kind} ${made.id}`, text: `${parts.filter(Boolean).join('\n\n')}\n` };
}

/** The message to the owner of a new key. */
export type Reply = ReturnType<typeof replyOf>;

function termsOf({ id, scopes, limit, endsAt }: NewApiKey): string {
	return [
		`- Its name, which is no secret: ${id}`,
		`- Scopes: ${scopes.map((scope) => `${scope} (${service.scopes[scope]})`).join(', ')}`,
		`- Limit: ${limitWords(limit)}`,
		`- Expires: ${dateTime(endsAt)}`,
		`- Base address: ${origin}`,
		`- Entry for authorization_servers: ${origin} (as in ${links.protectedResource})`,
	].join('\n');
}

const endOf = ({ endsAt }: Pick<ApiKey, 'endsAt'>) =>
	endsAt > Date.now() ? `works until ${dateTime(endsAt)}` : 'does not work any more';

/** Mails a key to its owner. Never throws. */
export type KeyMail = (reply: Reply, key: NewApiKey) => Promise<SendResult>;

/** Returns the function that mails keys, or undefined without a mail server. */
export function keyMailOf({ smtp: url, email }: Pick<ChannelSettings, 'smtp' | 'email'>): KeyMail | undefined {
	if (url === undefined || email.from === undefined) return undefined;
	const sendMail = smtp(url);
	const parties = { from: { name: service.name, address: email.from }, replyTo: service.emails.sales };
	return (reply, { id, owner, madeAt }) => {
		const message = { ...reply, id, receivedAt: new Date(madeAt).toISOString(), event: { type: 'key.issued' } };
		return sendMail(mailToOwner(message, { ...parties, to: owner.email }), AbortSignal.timeout(TRY_TIMEOUT));
	};
}
