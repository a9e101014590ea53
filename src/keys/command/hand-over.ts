import type { Report } from '../../command/command.ts';
import type { ApiKey, NewApiKey } from '../../lead/store/key-store.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import { keyHash, keyId, newKey } from '../key.ts';
import { type Reply, replyOf } from '../reply.ts';
import type { KeyContext } from './context.ts';
import { ownerText } from './key-text.ts';

/** What a new key is to be. */
export type Wanted = Pick<ApiKey, 'owner' | 'scopes' | 'limit' | 'test' | 'life'> & Partial<Pick<ApiKey, 'sender'>>;

/** A key that was just made: nobody can be told of it again. */
export interface Made {
	key: string;
	kept: NewApiKey;
}

/** Makes a key, which is to be saved. */
export function make(wanted: Wanted, { secret }: LeadStore): Made {
	const key = newKey(wanted);
	const hash = keyHash(secret, key);
	const id = keyId(hash);
	const madeAt = Date.now();
	return { key, kept: { sender: id, ...wanted, id, hash, madeAt, endsAt: madeAt + wanted.life } };
}

/** Where a mail is wanted and there is no way to send one: why, to be said before anything is made. */
export const mailMissing = ({ values, mail }: KeyContext): string | undefined =>
	values.send && mail === undefined
		? 'There is no mail server to --send by: set SMTP_URL, LEAD_EMAIL_TO and LEAD_EMAIL_FROM, or leave out --send and send the reply yourself.\nNo key was made.'
		: undefined;

/** Prints a new key with the reply to its owner and, with `--send`, mails that. @param old the key in whose place it comes */
export async function handOver({ key, kept }: Made, context: KeyContext, old?: Pick<ApiKey, 'id' | 'endsAt'>): Promise<Report> {
	const reply = replyOf(key, kept, old);
	const mail = context.values.send ? context.mail : undefined;
	const delivery = await mail?.(reply, kept);
	const error = delivery?.ok === false ? unsent(delivery.reason, kept, context) : undefined;
	const sent = delivery?.ok === true ? `Mailed to ${kept.owner.email}.` : undefined;
	return {
		done: error === undefined,
		data: { id: kept.id, key, reply: reply.text, ...(error !== undefined && { error }) },
		text: [printed(key, kept, reply), error ?? sent].filter(Boolean).join('\n'),
	};
}

const printed = (key: string, { id, owner }: NewApiKey, { subject, text }: Reply) =>
	`Key ${id} of ${ownerText(owner)}. It is shown this once:

${key}

--- The reply to ${owner.email} ---
Subject: ${subject}

${text}---`;

const unsent = (reason: string, { id, owner }: NewApiKey, { program }: KeyContext) =>
	`The mail to ${owner.email} was not sent: ${reason}. The key works all the same: send the reply yourself, or end the key with ${program} revoke ${id}`;
