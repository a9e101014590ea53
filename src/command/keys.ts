import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { service } from '../facts/load.ts';
import { type ApiKey, isActive } from '../lead/store/key-store.ts';
import type { LeadStore } from '../lead/store/store.ts';
import { limitText, TIME_UNITS } from '../values/values.ts';
import { type Call, Failure, type Program } from './command.ts';
import { issue, ownerText, readValue, scopes, usual } from './issue.ts';
import { type Columns, isoTime, shortTime, table } from './printing.ts';

export const keys: Program = {
	script: 'keys',
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
			.option('--name <NAME>', 'Who the owner is, where no lead asked; with --email.', readValue.name)
			.option('--email <EMAIL>', 'Where the owner is written to.', readValue.email)
			.option(
				'--scopes <SCOPES>',
				`What it allows, with commas between. Unless given, what the lead names, or else ${scopes.join(',')}.`,
				readValue.scopes,
			)
			.addOption(
				new Option('--limit <N/TIME>', 'How many leads it may send in which time.')
					.argParser(readValue.limit)
					.default(readValue.limit(usual.limit), usual.limit),
			)
			.addOption(
				new Option('--expires <TIME>', 'How long it works.')
					.argParser(readValue.expires)
					.default(readValue.expires(usual.expires), usual.expires),
			)
			.action(({ for: lead, name, email, ...terms }) => {
				const person = name !== undefined && email !== undefined ? { name, email } : undefined;
				const isClear = lead === undefined ? person : (name ?? email) === undefined;
				if (!isClear)
					throw new InvalidArgumentError(
						`Say whose key it is, by a lead or by name and address:\n${call.program} issue --for LEAD\n${call.program} issue --name NAME --email EMAIL`,
					);
				return issue(call, person ?? lead!, terms);
			});
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
	const howToIssue = service.keys === 'issued' ? ` To issue one: ${call.program} issue --for LEAD` : '';
	const text = all.length > 0 ? table(columns, all, ({ owner }) => ownerText(owner)) : `There are no API keys yet.${howToIssue}`;
	call.print({ keys: all.map(rowOf) }, text);
}

const columns: Columns<ApiKey> = {
	Key: ({ id }) => id,
	State: stateOf,
	Scopes: ({ scopes }) => scopes.join(','),
	Limit: ({ limit }) => limitText(limit),
	'Made UTC': ({ madeAt }) => shortTime(madeAt),
	'Last used': ({ lastUsed }) => lastUsed ?? 'never',
	Leads: ({ leads }) => leads,
};

/** Returns a key for programs. */
function rowOf(key: ApiKey) {
	const { id, owner, scopes, limit, madeAt, endsAt, lastUsed, leads } = key;
	return { id, owner, scopes, limit, works: isTaken(key), madeAt: isoTime(madeAt), endsAt: isoTime(endsAt), lastUsed, leads };
}

/** Returns whether the server accepts a key. */
const isTaken = (key: ApiKey): boolean => service.keys === 'issued' && isActive(key);

/** Returns the state of a key: `works, ends on 21 Nov 2027`, `ended on 20 Nov 09:30`, `cannot be read`. */
function stateOf(key: ApiKey): string {
	if (key.broken) return 'cannot be read';
	const end = shortTime(key.endsAt).trim();
	if (!isActive(key)) return `ended on ${end}`;
	return isTaken(key) ? `works, ends on ${end}` : `refused while no keys are issued, ends on ${end}`;
}

async function revoke(call: Call, part: string, yes = false): Promise<void> {
	await using store = await call.openStore();
	const key = await findKey(store, part);
	const named = `key ${key.id} of ${ownerText(key.owner)}`;
	if (!isActive(key)) throw new Failure(`K${named.slice(1)} ${stateOf(key)}, so there is nothing to revoke.`);
	if (!yes) await call.confirm(`End ${named} for good?`, `revoke ${key.id} --yes`);
	await store.keys.revoke(key.id, Date.now());
	call.print({ revoked: key.id }, `Revoked ${named}. Within a minute every instance refuses it.`);
}

/** Returns the key whose id begins with this. @throws {Failure} there is none, or more than one */
async function findKey(store: LeadStore, part: string): Promise<ApiKey> {
	const wanted = part.toLowerCase();
	// The text may be a key itself, which must not be printed.
	if (!/^[\da-f]{1,12}$/.test(wanted))
		throw new Failure('That is no id: an id has digits and the letters a to f, and list shows it.');
	const [found, another] = (await store.keys.list()).filter(({ id }) => id.startsWith(wanted));
	if (!found) throw new Failure(`There is no key ${part}. Its owner may have been erased, or it ended long ago. See list.`);
	if (another) throw new Failure(`More than one key has an id that begins with ${part}. Write more of the id.`);
	return found;
}
