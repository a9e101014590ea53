import * as z from 'zod';
import { keyDefaults } from '../../facts/facts.ts';
import { links, origin, service } from '../../facts/load.ts';
import { nearest } from '../../facts/mistake.ts';
import { keyHash, keyId, newKey } from '../../lead/intake/authentication.ts';
import { leadSchema } from '../../lead/lead.ts';
import type { ReceivedLead } from '../../lead/message/message.ts';
import type { ApiKey, NewApiKey } from '../../lead/store/key-store.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import { limitWords, rateLimit } from '../../values/rate-limit-policy.ts';
import { duration, LONGEST_KEPT } from '../../values/time.ts';
import { listOf, mustBe } from '../../values/value.ts';
import { ArgumentError, failure, type Report } from '../command.ts';
import { findEntry } from '../leads/entries.ts';
import { dateTime } from '../printing.ts';

/** The names of all scopes. */
export const scopes = Object.keys(service.scopes);

/** The values of options that are not given. */
export const defaults = {
	scopes: scopes.join(','),
	limit: `${keyDefaults.leads}/${keyDefaults.minutes}m`,
	expires: `${keyDefaults.years}y`,
};

/** The forms that the values of options must have. Times are in seconds. */
const schemas = {
	name: asInLead(leadSchema.shape.name, 'a name, no longer than in a lead', '"Ana Ruiz"'),
	email: asInLead(leadSchema.shape.email, 'an email address, as in a lead', 'ana@clinicasol.example'),
	scopes: listOf(/[\s,]+/, z.enum(scopes, { error: ({ input }) => noScope(String(input)) })),
	limit: rateLimit(defaults.limit),
	expires: duration(LONGEST_KEPT, defaults.expires),
};

/**
 * Reads the value of an option.
 *
 * @throws {ArgumentError} naming the option, the values that it takes, and an example
 */
export function parseOption<Name extends keyof typeof schemas>(option: Name, text: string) {
	const { data, error } = schemas[option].safeParse(text);
	if (error) throw new ArgumentError(`--${option} ${error.issues[0]!.message}.`);
	return data as z.output<(typeof schemas)[Name]>;
}

function asInLead<Schema extends z.ZodType<unknown, string>>(schema: Schema, wish: string, example: string) {
	return z
		.string()
		.refine((text) => schema.safeParse(text).success, mustBe(wish, example))
		.pipe(schema);
}

function noScope(name: string): string {
	const wish = `must be some of ${scopes.join(', ')}, with commas between, for example ${defaults.scopes}`;
	const meant = nearest(name, scopes);
	return meant === undefined ? wish : `${wish}: there is no scope ${name}, perhaps ${meant} is meant`;
}

export interface Issuing {
	leads: LeadStore;
	program: string;
	values: Partial<Record<'for' | keyof typeof schemas, string>>;
}

/** `issue`: makes a key for the sender of a lead, or for a person by name. Nobody can see it again later. */
export async function issue({ values, leads, program }: Issuing): Promise<Report> {
	if (service.keys === 'none')
		return failure(
			'No API keys are issued, so none was made: to issue some, write `keys: issued` in content/service.yaml, build, and start what was built.',
		);
	const given = values.scopes === undefined ? undefined : [...new Set(parseOption('scopes', values.scopes))];
	const limit = parseOption('limit', values.limit ?? defaults.limit);
	const life = parseOption('expires', values.expires ?? defaults.expires) * 1000;
	const asker = await askerOf({ values, leads, program });
	if (typeof asker === 'string') return failure(asker);

	const key = newKey();
	const hash = keyHash(leads.secret, key);
	const madeAt = Date.now();
	const { owner } = asker;
	const made = { id: keyId(hash), hash, owner, scopes: given ?? asker.scopes, limit, madeAt, endsAt: madeAt + life };
	await leads.keys.insert(made);
	const reply = replyOf(key, made);
	return { done: true, data: { id: made.id, key, reply: reply.text }, text: printed(key, made, reply) };
}

/** The owner of the new key, and its scopes unless the operator names others. */
type Asker = Pick<ApiKey, 'owner' | 'scopes'>;

/**
 * Returns who asks for a key, and for which scopes, or a message if that is unknown.
 *
 * @throws {ArgumentError} the operator named neither a lead nor a person, or both
 */
async function askerOf({ values, leads, program }: Issuing): Promise<Asker | string> {
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

/** The owner, as a mail names its recipient. */
export const ownerText = ({ name, email }: ApiKey['owner']) => `${name} <${email}>`;

const printed = (key: string, { id, owner }: NewApiKey, { subject, text }: ReturnType<typeof replyOf>) =>
	`Key ${id} of ${ownerText(owner)}. It is shown this once:

${key}

--- The reply to ${owner.email} ---
Subject: ${subject}

${text}---`;

/** Returns the reply to the owner: the key, and all that is needed to use it. */
const replyOf = (key: string, { id, owner, scopes, limit, endsAt }: NewApiKey) => ({
	subject: `Your ${service.name} API key ${id}`,
	text: `Hello ${owner.name},

this is your API key for ${service.name}. We keep only a hash of it and cannot show it again: put it where your program keeps its secrets.

  ${key}

- Its name, which is no secret: ${id}
- Scopes: ${scopes.map((scope) => `${scope} (${service.scopes[scope]})`).join(', ')}
- Limit: ${limitWords(limit)}
- Expires: ${dateTime(endsAt)}
- Base address: ${origin}
- Entry for authorization_servers: ${origin} (as in ${links.protectedResource}). OAuth is planned and not live, so nothing can be fetched there.

Send it in this header, and to ${origin} only:

  Authorization: Bearer ${key}

That is all. The calls are described at ${links.authMd}.

If somebody else may have seen the key, write to ${service.emails.security} at once, with its name and without the key itself: we revoke it and send you another. With any other question, write to ${service.emails.sales}.
`,
});
