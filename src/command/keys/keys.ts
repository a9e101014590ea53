import { isActive, type ApiKey } from '../../lead/store/key-store.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import type { StoreSetting } from '../../lead/store/index.ts';
import { service } from '../../facts/load.ts';
import { limitText } from '../../values/rate-limit-policy.ts';
import { TIME_UNITS } from '../../values/time.ts';
import { ArgumentError, failure, type Program, type Report, type Terminal, yesOption } from '../command.ts';
import { onStore } from '../on-store.ts';
import { isoTime, shortTime, table } from '../printing.ts';
import { defaults, issue, type Issuing, ownerText } from './issue.ts';

interface KeySettings {
	/** The lead store, which holds the keys. */
	store: StoreSetting;
}

export const keys: Program<KeySettings> = {
	script: 'keys',
	purpose: 'Issues and looks after API keys',
	local: 'As in leads; keys are the same with it.',
	operands:
		'ID is the beginning of a key’s id, LEAD the beginning or the end of a lead’s, as long as only one has it.\n' +
		`TIME is a number of ${TIME_UNITS}.`,
	needs: ({ store }) => ({ store }),
	describe(program, run) {
		program
			.command('issue')
			.usage('--for LEAD|--name NAME --email EMAIL [options]')
			.description('Make a key, and print it, this once, with the reply to its owner.')
			.option('--for <LEAD>', 'The lead that asked for the key: its name and email are the owner’s.')
			.option('--name <NAME>', 'Who the owner is, where no lead asked; with --email.')
			.option('--email <EMAIL>', 'Where the owner is written to.')
			.option(
				'--scopes <SCOPES>',
				`What it allows, with commas between. Unless given, what the lead names, or else ${defaults.scopes}.`,
			)
			.option('--limit <N/TIME>', `How many leads it may send in which time; ${defaults.limit} unless given.`)
			.option('--expires <TIME>', `How long it works; ${defaults.expires} unless given.`)
			.action((values) =>
				run(
					onKeys((context: KeyContext & Pick<Issuing, 'values'>) => issue(context)),
					{ values },
				),
			);
		program
			.command('list')
			.description('All keys, newest first, with owner, limit and use. Never a key itself.')
			.action((values) => run(onKeys(list), { values }));
		program
			.command('revoke <ID>')
			.description('End a key at once.')
			.addOption(yesOption)
			.action((operand, values) => run(onKeys(revoke), { operand, values }));
	},
};

/** Wraps a command that works on the keys of the store. */
const onKeys = onStore(
	() =>
		'LEAD_STORE is none, so there are no API keys, which are kept in the lead store: to issue some, set it, for example LEAD_STORE=sqlite:var/leads.db.',
);

type KeyContext = Terminal & KeySettings & { leads: LeadStore };

/** `list` */
async function list({ leads, program }: KeyContext): Promise<Report> {
	const all = await leads.keys.list();
	const howToIssue = service.keys === 'issued' ? ` To issue one: ${program} issue --for LEAD` : '';
	const text = all.length > 0 ? keysTable(all) : `There are no API keys yet.${howToIssue}`;
	return { done: true, data: { keys: all.map(keyData) }, text };
}

/** Returns a row for each key, with its owner under it. */
const keysTable = (all: ApiKey[]): string =>
	table(
		['Key', 'State', 'Scopes', 'Limit', 'Made UTC', 'Last used', 'Leads'],
		all.flatMap((key) => [cellsOf(key), { under: ownerText(key.owner) }]),
	);

function cellsOf(key: ApiKey): string[] {
	const { id, scopes, limit, madeAt, lastUsed, leads } = key;
	const made = shortTime(madeAt, Date.now());
	return [id, stateText(key), scopes.join(','), limitText(limit), made, lastUsed ?? 'never', String(leads)];
}

/** Returns whether the server accepts a key. */
const isTaken = (key: ApiKey): boolean => service.keys === 'issued' && isActive(key);

/** Returns the state of a key: `works, ends on 21 Nov 2027`, `ended on 20 Nov 09:30`, `cannot be read`. */
function stateText(key: ApiKey): string {
	if (key.broken) return 'cannot be read';
	const end = shortTime(key.endsAt, Date.now()).trim();
	if (!isActive(key)) return `ended on ${end}`;
	return isTaken(key) ? `works, ends on ${end}` : `refused while no keys are issued, ends on ${end}`;
}

/** Returns a key for programs. */
function keyData(key: ApiKey) {
	const { id, owner, scopes, limit, madeAt, endsAt, lastUsed, leads } = key;
	return { id, owner, scopes, limit, works: isTaken(key), madeAt: isoTime(madeAt), endsAt: isoTime(endsAt), lastUsed, leads };
}

interface Revocation {
	/** The beginning of the id of a key. */
	operand: string;
	values: { yes?: true };
}

/** `revoke ID` */
async function revoke({ leads, operand, values, confirm, program }: KeyContext & Revocation): Promise<Report> {
	const key = await findKey(leads, operand);
	if (typeof key === 'string') return failure(key);
	const { id, owner } = key;
	if (!values.yes && confirm === undefined)
		throw new ArgumentError(
			`This needs a confirmation, and there is no terminal to ask for it. Run ${program} revoke ${id} --yes`,
		);
	if (!isActive(key)) return failure(`Key ${id} of ${ownerText(owner)} ${stateText(key)}, so there is nothing to revoke.`);
	if (!values.yes && !(await confirm!(`End key ${id} of ${ownerText(owner)} for good?`))) return failure('No key was revoked.');
	await leads.keys.revoke(id, Date.now());
	return {
		done: true,
		data: { revoked: id },
		text: `Revoked key ${id} of ${ownerText(owner)}. Within a minute every instance refuses it.`,
	};
}

/** Returns the key whose id begins with this, or a message if there is none or more than one. */
async function findKey(leads: LeadStore, part: string): Promise<ApiKey | string> {
	const wanted = part.toLowerCase();
	// The text may be a key itself, which must not be printed.
	if (!/^[\da-f]{1,12}$/.test(wanted)) return 'That is no id: an id has digits and the letters a to f, and list shows it.';
	const [found, another] = (await leads.keys.list()).filter(({ id }) => id.startsWith(wanted));
	if (found === undefined) return `There is no key ${part}. Its owner may have been erased, or it ended long ago. See list.`;
	return another === undefined ? found : `More than one key has an id that begins with ${part}. Write more of the id.`;
}
