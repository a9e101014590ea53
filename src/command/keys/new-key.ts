import { ArgumentError, failure, type Report } from '../command.ts';
import { type ApiKey, type NewApiKey, isActive } from '../../lead/store/key-store.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import { keyHash, keyId, newKey } from '../../keys/key.ts';
import { type Reply, replyOf } from './reply.ts';
import type { KeyContext } from './context.ts';
import { ownerText, stateText } from './key-text.ts';
import { defaults, parseOption, scopes } from './given.ts';
import type { ReceivedLead } from '../../lead/message/message.ts';
import { leadSchema } from '../../lead/lead.ts';
import { findKey } from './issued-keys.ts';
import { findEntry } from '../leads/entries.ts';

/** `issue`: makes a key for the sender of a lead, or for a person by name. */
export async function issue(context: KeyContext): Promise<Report> {
	const { values, leads } = context;
	const terms = {
		...(values.scopes !== undefined && { scopes: [...new Set(parseOption('scopes', values.scopes))] }),
		limit: parseOption('limit', values.limit ?? defaults.limit),
		life: parseOption('expires', values.expires ?? defaults.expires) * 1000,
		test: values.test === true,
	};
	const asker = await askerOf(context);
	if (typeof asker === 'string') return failure(asker);
	const missing = mailMissing(context);
	if (missing !== undefined) return failure(missing);
	const made = make({ ...asker, ...terms }, leads);
	await leads.keys.insert(made.kept);
	return handOver(made, context);
}

/** `rotate ID`: makes a key with the same terms and the same lifetime as the old one. */
export async function rotate(context: KeyContext): Promise<Report> {
	const { leads, operand, values, program } = context;
	const overlap = parseOption('overlap', values.overlap ?? defaults.overlap) * 1000;
	const old = await findKey(leads.keys, operand!);
	if (typeof old === 'string') return failure(old);
	if (!isActive(old))
		return failure(
			`Key ${old.id} ${stateText(old)}, so there is nothing to rotate. Issue another: ${program} issue --name NAME --email EMAIL`,
		);
	const missing = mailMissing(context);
	if (missing !== undefined) return failure(missing);

	const { owner, sender, scopes, limit, test, life, endsAt } = old;
	const made = make({ owner, sender, scopes, limit, test, life }, leads);
	const oldEndsAt = Math.min(endsAt, Date.now() + overlap);
	if (!(await leads.keys.replace(old, { key: made.kept, endsAt: oldEndsAt, revoked: overlap === 0 })))
		return failure(`Somebody else has just revoked or rotated key ${old.id}. No key was made: see list.`);
	return handOver(made, context, { id: old.id, endsAt: oldEndsAt });
}

/** The owner of the new key, and its scopes unless the operator names others. */
type Asker = Pick<ApiKey, 'owner' | 'scopes'>;

/**
 * Returns who asks for a key, and for which scopes, or a message if that is unknown.
 *
 * @throws {ArgumentError} the operator named neither a lead nor a person, or both
 */
async function askerOf({ values, leads, program }: KeyContext): Promise<Asker | string> {
	const { for: lead, name, email } = values;
	if (lead !== undefined && name === undefined && email === undefined) return askerIn(leads, lead);
	if (lead === undefined && name !== undefined && email !== undefined)
		return { owner: { name: parseOption('name', name), email: parseOption('email', email) }, scopes };
	throw new ArgumentError(
		`Say whose key it is, by a lead or by name and address:\n${program} issue --for LEAD\n${program} issue --name NAME --email EMAIL`,
	);
}

const person = leadSchema.pick({ name: true, email: true });

async function askerIn(leads: LeadStore, part: string): Promise<Asker | string> {
	const entry = await findEntry(leads, part);
	if (typeof entry === 'string') return entry;
	const instead = 'Name the owner with --name and --email.';
	if (entry.kind !== 'lead')
		return `Entry ${entry.id} is no lead but a ${entry.kind} of ours: nobody asks for a key in it. ${instead}`;
	const { lead } = JSON.parse(entry.payload) as ReceivedLead;
	const owner = person.safeParse(lead);
	// Scopes have the same names in every language of the form.
	const named = scopes.filter((scope) => lead.message?.includes(scope));
	if (owner.success) return { owner: owner.data, scopes: named.length > 0 ? named : scopes };
	return `Lead ${entry.id} has no name, or no address to write to. ${instead}`;
}

/** The choices for a new key. */
type Wanted = Pick<ApiKey, 'owner' | 'scopes' | 'limit' | 'test' | 'life'> & Partial<Pick<ApiKey, 'sender'>>;

/** Makes a key, and does not save it. Nobody can see it again later. */
function make(wanted: Wanted, { secret }: LeadStore): { key: string; kept: NewApiKey } {
	const key = newKey(wanted);
	const hash = keyHash(secret, key);
	const id = keyId(hash);
	const madeAt = Date.now();
	return { key, kept: { sender: id, ...wanted, id, hash, madeAt, endsAt: madeAt + wanted.life } };
}

/** Returns why a requested mail cannot be sent, before a key is made. */
const mailMissing = ({ values, mail }: KeyContext): string | undefined =>
	values.send && mail === undefined
		? 'There is no mail server to --send by: set SMTP_URL, LEAD_EMAIL_TO and LEAD_EMAIL_FROM, or leave out --send and send the reply yourself.\nNo key was made.'
		: undefined;

/** Prints a new key with the reply to its owner and, with `--send`, mails that. @param old the key that it replaces */
async function handOver(
	{ key, kept }: ReturnType<typeof make>,
	context: KeyContext,
	old?: Pick<ApiKey, 'id' | 'endsAt'>,
): Promise<Report> {
	const reply = replyOf(key, kept, old);
	const mail = context.values.send ? context.mail : undefined;
	const result = await mail?.(reply, kept);
	const error = result?.ok === false ? unsent(result.reason, kept, context) : undefined;
	const sent = result?.ok === true ? `Mailed to ${kept.owner.email}.` : undefined;
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
