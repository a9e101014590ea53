import * as z from 'zod';
import { keyDefaults } from '../facts/facts.ts';
import { links, origin, service } from '../facts/load.ts';
import { nearest } from '../facts/mistake.ts';
import { keyHash, keyId, newKey } from '../lead/intake/authentication.ts';
import { leadSchema } from '../lead/lead.ts';
import type { ApiKey, NewApiKey } from '../lead/store/key-store.ts';
import type { LeadStore } from '../lead/store/store.ts';
import { duration, limitWords, listOf, LONGEST_KEPT, mustBe, rateLimit, type RateLimitPolicy } from '../values/values.ts';
import { type Call, Failure, valueBy } from './command.ts';
import { findEntry, leadIn } from './entries.ts';
import { dateTime } from './printing.ts';

/** The names of all scopes. */
export const scopes = Object.keys(service.scopes);

/** The values of options that are not given. */
export const usual = { limit: `${keyDefaults.leads}/${keyDefaults.minutes}m`, expires: `${keyDefaults.years}y` };

/** Reads the value of each option. Times are in seconds. */
export const readValue = {
	name: valueBy(asInLead(leadSchema.shape.name, 'a name, no longer than in a lead', '"Ana Ruiz"')),
	email: valueBy(asInLead(leadSchema.shape.email, 'an email address, as in a lead', 'ana@clinicasol.example')),
	scopes: valueBy(listOf(/[\s,]+/, z.enum(scopes, { error: ({ input }) => noScope(String(input)) }))),
	limit: valueBy(rateLimit(usual.limit)),
	expires: valueBy(duration(LONGEST_KEPT, usual.expires)),
};

function asInLead(schema: z.ZodType<string, string>, wish: string, example: string) {
	return z
		.string()
		.refine((text) => schema.safeParse(text).success, mustBe(wish, example))
		.pipe(schema);
}

function noScope(name: string): string {
	const wish = `must be some of ${scopes.join(', ')}, with commas between, for example ${scopes.join(',')}`;
	const meant = nearest(name, scopes);
	return meant === undefined ? wish : `${wish}: there is no scope ${name}, perhaps ${meant} is meant`;
}

/** The terms of a new key. */
interface Terms {
	/** Unless given, those that the lead names, or else all. */
	scopes?: string[] | undefined;
	limit: RateLimitPolicy;
	/** In seconds. */
	expires: number;
}

/**
 * `issue`: makes a key. Nobody can see it again later.
 *
 * @param asker a person, or the id of the lead of one
 */
export async function issue(call: Call, asker: ApiKey['owner'] | string, { limit, expires, ...terms }: Terms): Promise<void> {
	if (service.keys === 'none')
		throw new Failure(
			'No API keys are issued, so none was made: to issue some, write `keys: issued` in content/service.yaml, build, and start what was built.',
		);
	await using store = await call.openStore();
	const { owner, named } = typeof asker === 'string' ? await askerIn(store, asker) : { owner: asker, named: scopes };
	const key = newKey();
	const hash = keyHash(store.secret, key);
	const madeAt = Date.now();
	const given = [...new Set(terms.scopes ?? named)];
	const made = { id: keyId(hash), hash, owner, scopes: given, limit, madeAt, endsAt: madeAt + expires * 1000 };
	await store.keys.insert(made);
	const reply = replyOf(key, made);
	call.print({ id: made.id, key, reply: reply.text }, printed(key, made, reply));
}

const person = leadSchema.pick({ name: true, email: true });

/** Returns who asks for a key in a lead, and the scopes that it names, or all. */
async function askerIn(store: LeadStore, part: string): Promise<{ owner: ApiKey['owner']; named: string[] }> {
	const entry = await findEntry(store, part);
	const instead = 'Name the owner with --name and --email.';
	if (entry.kind !== 'lead')
		throw new Failure(`Entry ${entry.id} is no lead but a ${entry.kind} of ours: nobody asks for a key in it. ${instead}`);
	const lead = leadIn(entry);
	const owner = person.safeParse(lead);
	if (!owner.success) throw new Failure(`Lead ${entry.id} has no name, or no address to write to. ${instead}`);
	// Scopes have the same names in every language of the form.
	const named = scopes.filter((scope) => lead.message?.includes(scope));
	return { owner: owner.data, named: named.length > 0 ? named : scopes };
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
