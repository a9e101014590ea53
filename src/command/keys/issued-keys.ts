import { type ApiKey, isActive, type KeyStore } from '../../lead/store/key-store.ts';
import { ArgumentError, failure, type Report } from '../command.ts';
import { service } from '../../facts/load.ts';
import { keyFormOf } from '../../facts/key-form.ts';
import { isKey, keyHash, publicTestKey } from '../../keys/key.ts';
import { keyWithHash } from '../../keys/keyring.ts';
import { type CommandContext, type KeyContext, onKeys } from './context.ts';
import { isTaken, keyData, keysTable, keyText, ownerText, stateText } from './key-text.ts';

/** `list` */
export async function list({ leads, program }: KeyContext): Promise<Report> {
	const keys = await leads.keys.list();
	const text = keys.length > 0 ? keysTable(keys) : `There are no API keys yet.${howToIssue(program)}`;
	return { done: true, data: { keys: keys.map(keyData) }, text };
}

const howToIssue = (program: string) => (service.keys === 'issued' ? ` To issue one: ${program} issue --for LEAD` : '');

/** `show ID` */
export async function show({ leads, operand }: KeyContext): Promise<Report> {
	const key = await findKey(leads.keys, operand!);
	return typeof key === 'string' ? failure(key) : { done: true, data: keyData(key), text: keyText(key) };
}

/** `revoke ID` */
export async function revoke({ leads, operand, values, confirm, program }: KeyContext): Promise<Report> {
	const key = await findKey(leads.keys, operand!);
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

const idForm = /^[\da-f]{1,12}$/;

/** Returns the key whose id begins with this, or a message if there is none or more than one. */
export async function findKey(keys: KeyStore, part: string): Promise<ApiKey | string> {
	const wanted = part.toLowerCase();
	// The text may be a key itself, which must not be printed.
	if (!idForm.test(wanted))
		return 'That is no id: an id has digits and the letters a to f, and list shows it. To learn the id of a key, use check.';
	const [found, another] = (await keys.list()).filter(({ id }) => id.startsWith(wanted));
	if (found === undefined) return `There is no key ${part}. Its owner may have been erased, or it ended long ago. See list.`;
	return another === undefined ? found : `More than one key has an id that begins with ${part}. Write more of the id.`;
}

const form = keyFormOf(service.identifier);

/** `check`: reads the key from standard input, so that it stays out of the shell's history. */
export async function check(context: CommandContext): Promise<Report> {
	const given = await context.ask('Paste the key, and press Enter:');
	// A leaked key may stand in the middle of other text.
	const [key = given] = new RegExp(`\\b${form.pattern}\\b`).exec(given) ?? [];
	if (key === '') throw new ArgumentError(`There is no key on standard input. Give it as ${context.program} check < FILE`);
	if (key === publicTestKey) return publicReport;
	if (!isKey(key)) return failure(`It does not work: ${NO_KEY}`);
	return onKeys(checkKept)({ ...context, key });
}

async function checkKept({ leads, key, program }: KeyContext & { key: string }): Promise<Report> {
	const kept = await keyWithHash(keyHash(leads.secret, key), leads.keys);
	if (kept === undefined) return failure(`It does not work: ${UNKNOWN}`);
	const good = isTaken(kept);
	const advice = `If somebody else may have seen it: ${program} revoke ${kept.id}\nWith another in its place: ${program} rotate ${kept.id} --overlap 0`;
	const text = [good ? 'It works.' : 'It does not work.', keyText(kept), good && advice].filter(Boolean).join('\n\n');
	return { done: good, data: keyData(kept), text };
}

const publicReport: Report = {
	done: true,
	data: { public: true, test: true, works: true },
	text: 'It is the public test key, and works: everybody may use it, and what is sent with it is neither kept nor delivered. It cannot leak.',
};

const NO_KEY = `a key begins with ${form.prefixes.live} and ends with a checksum, and this one is mistyped, not whole, or none of ours.`;
const UNKNOWN = 'no such key is kept. It was never issued here, its owner was erased, or it ended long ago.';
