import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { BASE62, keyDefaults, keyFormOf, RANDOM, withChecksum } from '../facts/facts.ts';
import { links, origin, service } from '../facts/load.ts';
import { contentOf } from '../channels/message.ts';
import { keyHash, keyId } from '../api/authentication.ts';
import { leadSchema } from '../lead/lead.ts';
import { type ApiKey, isActive, type NewApiKey } from '../store/key-store.ts';
import type { LeadStore } from '../store/store.ts';
import { duration, listOf, LONGEST_KEPT, mustBe, rateLimit, type RateLimitPolicy } from '../lead/values.ts';
import { TIME_UNITS, timeWords, wholeUnits } from '../lead/values.ts';
import { type Call, Failure, optionBy, type Program, valueBy, wrongCall } from './command.ts';
import { findEntry, onlyOne } from './entries.ts';
import { dateTime, shortTime, table } from './printing.ts';

export const scopes = Object.keys(service.scopes);

const usual = { limit: `${keyDefaults.leads}/${keyDefaults.minutes}m`, expires: `${keyDefaults.years}y` };

const readName = valueBy(leadSchema.shape.name, mustBe('a name, no longer than in a lead', '"Ana Ruiz"'));
const readEmail = valueBy(leadSchema.shape.email, mustBe('an email address, as in a lead', 'ana@clinicasol.example'));
const oneOf = z.enum(scopes, mustBe(`some of ${scopes.join(', ')}, with commas between`, scopes.join(',')));

export const keys: Program = {
	purpose: 'Issues and looks after API keys',
	operands:
		'ID is the beginning of a key’s id, LEAD the beginning or the end of a lead’s, as long as only one has it.\n' +
		`TIME is a number of ${TIME_UNITS}.`,
	describe(program, call) {
		program
			.command('issue')
			.usage('--for LEAD|--name NAME --email EMAIL [options]')
			.description('Make a key, and print it, this once, with the reply to its owner.')
			.option('--for <LEAD>', 'The lead that asked for the key: its name and email are the owner’s.')
			.option('--name <NAME>', 'The name of the owner, where no lead asked; with --email.', readName)
			.option('--email <EMAIL>', 'The address of the owner.', readEmail)
			.option(
				'--scopes <SCOPES>',
				`What the key allows, with commas between. By default what the lead names, or else ${scopes.join(',')}.`,
				valueBy(listOf(/[\s,]+/, oneOf)),
			)
			.addOption(optionBy('--limit <N/TIME>', 'How many leads it may send in which time.', rateLimit(usual.limit), usual.limit))
			.addOption(optionBy('--expires <TIME>', 'How long the key works.', duration(LONGEST_KEPT, usual.expires), usual.expires))
			.action((options) => issue(call, options));
		program
			.command('list')
			.description('All keys, newest first, with owner, limit and use. Never a key itself.')
			.action(() => list(call));
		program
			.command('revoke <ID>')
			.description('End a key at once.')
			.option('--yes', 'Do not ask.')
			.action((id, { yes }) => revoke(call, id, yes));
	},
};

async function list(call: Call): Promise<void> {
	await using store = await call.openStore();
	const all = await store.keys.list();
	const rows = all.flatMap((key) => [
		[key.id, stateOf(key), key.scopes.join(','), limitText(key.limit), shortTime(key.madeAt), key.lastUsed ?? 'never', key.leads],
		ownerText(key.owner),
	]);
	const howToIssue = service.keys === 'issued' ? ` To issue one: ${call.program} issue --for LEAD` : '';
	const text = table(['Key', 'State', 'Scopes', 'Limit', 'Made UTC', 'Last used', 'Leads'], rows);
	call.print({ keys: all.map(shownKey) }, rows.length > 0 ? text : `There are no API keys yet.${howToIssue}`);
}

/** Returns a key for programs and for its owner. */
export function shownKey(key: ApiKey) {
	const { id, owner, scopes, limit, madeAt, endsAt, lastUsed, leads } = key;
	const works = service.keys === 'issued' && isActive(key);
	return { id, owner, scopes, limit, works, madeAt: new Date(madeAt), endsAt: new Date(endsAt), lastUsed, leads };
}

/** Returns the state of a key: `works, ends on 21 Nov 2027`, `ended on 20 Nov 09:30`, `cannot be read`. */
function stateOf(key: ApiKey): string {
	if (key.broken) return 'cannot be read';
	const end = shortTime(key.endsAt);
	if (!isActive(key)) return `ended on ${end}`;
	return `${service.keys === 'issued' ? 'works' : 'refused while no keys are issued'}, ends on ${end}`;
}

async function revoke(call: Call, part: string, yes = false): Promise<void> {
	const wanted = part.toLowerCase();
	// The text may be a key itself, which must not be printed.
	if (!/^[\da-f]{1,12}$/.test(wanted))
		throw new Failure('That is no id: an id has digits and the letters a to f, and list shows it.');
	await using store = await call.openStore();
	const found = (await store.keys.list()).filter(({ id }) => id.startsWith(wanted));
	const key = onlyOne(found, 'key', part, 'Its owner may have been erased, or it ended long ago. See list.');
	const named = `key ${key.id} of ${ownerText(key.owner)}`;
	if (!isActive(key)) throw new Failure(`K${named.slice(1)} ${stateOf(key)}, so there is nothing to revoke.`);
	if (!yes) await call.confirm(`End ${named} for good?`, `revoke ${key.id} --yes`);
	await store.keys.revoke(key.id, Date.now());
	call.print({ revoked: key.id }, `Revoked ${named}. Within a minute every instance refuses it.`);
}

interface IssueOptions extends Partial<Record<'for' | 'name' | 'email', string>>, Pick<NewApiKey, 'limit'> {
	scopes?: string[] | undefined;
	/** How long the key works, in seconds. */
	expires: number;
}

/** `issue`: makes a key for the sender of a lead, or for a person by name. The key cannot be shown again. */
async function issue(call: Call, { for: lead, name, email, limit, expires, ...options }: IssueOptions): Promise<void> {
	const isPerson = name !== undefined && email !== undefined && lead === undefined;
	const wish = 'Name the owner, by a lead or by name and address';
	if (!isPerson && (lead === undefined || name !== undefined || email !== undefined))
		throw wrongCall(call, wish, 'issue --for LEAD', 'issue --name NAME --email EMAIL');
	if (service.keys === 'none')
		throw new Failure(
			'No API keys are issued, so none was made: to issue some, write `keys: issued` in content/service.yaml, build, and start what was built.',
		);
	await using store = await call.openStore();
	const { owner, named } = isPerson ? { owner: { name, email }, named: scopes } : await askerIn(store, lead!);
	const key = newKey();
	const hash = keyHash(store.secret, key);
	const [id, madeAt] = [keyId(hash), Date.now()];
	const given = [...new Set(options.scopes ?? named)];
	const made = { id, hash, owner, scopes: given, limit, madeAt, endsAt: madeAt + expires * 1000 };
	await store.keys.insert(made);
	const reply = replyWith(key, made);
	const shown = `Key ${id} of ${ownerText(owner)}. It is shown this once:\n\n${key}`;
	const mail = `--- The reply to ${owner.email} ---\nSubject: Your ${service.name} API key ${id}\n\n${reply}---`;
	call.print({ id, key, reply }, `${shown}\n\n${mail}`);
}

/** Returns a new API key: a prefix for the service, random characters, and their checksum. */
export const newKey = (): string =>
	withChecksum(
		keyFormOf(service.identifier).prefix + Array.from({ length: RANDOM }, () => BASE62[randomInt(BASE62.length)]).join(''),
	);

/** Returns the person who asks for a key in a lead, and the scopes that the lead names, or all. */
async function askerIn(store: LeadStore, part: string): Promise<{ owner: ApiKey['owner']; named: string[] }> {
	const entry = await findEntry(store, part);
	// Notices and confirmations have no lead, and an entry may be unreadable.
	const { lead } = contentOf(entry);
	const { data: owner } = leadSchema.pick({ name: true, email: true }).safeParse(lead);
	if (!owner)
		throw new Failure(
			`The ${entry.kind} ${entry.id} has no name, or no address to write to, that can be read. Name the owner with --name and --email.`,
		);
	// Scopes have the same names in every language of the form.
	const named = scopes.filter((scope) => lead?.message?.includes(scope));
	return { owner, named: named.length > 0 ? named : scopes };
}

/** Writes a limit as the option has it: `200/10m`. */
function limitText({ limit, window }: RateLimitPolicy): string {
	const { count, letter } = wholeUnits(window);
	return `${limit}/${count}${letter}`;
}

const ownerText = ({ name, email }: ApiKey['owner']) => `${name} <${email}>`;

const replyWith = (key: string, { id, owner, scopes, limit, endsAt }: NewApiKey) => `Hello ${owner.name},

this is your API key for ${service.name}. We keep only a hash of it and cannot show it again: put it where your program keeps its secrets.

  ${key}

- Its name, which is no secret: ${id}
- Scopes: ${scopes.map((scope) => `${scope} (${service.scopes[scope as keyof typeof service.scopes]})`).join(', ')}
- Limit: ${limit.limit} ${limit.limit === 1 ? 'lead' : 'leads'} in ${timeWords(limit.window)}
- Expires: ${dateTime(endsAt)}
- Base address: ${origin}
- Entry for authorization_servers: ${origin} (as in ${links.protectedResource}). OAuth is planned and not live, so nothing can be fetched there.

Send it in this header, and to ${origin} only:

  Authorization: Bearer ${key}

That is all. The calls are described at ${links.authMd}.

If somebody else may have seen the key, write to ${service.emails.security} at once, with its name and without the key itself: we revoke it and send you another. With any other question, write to ${service.emails.sales}.
`;
