import { type ApiKey, type KeyStore, isActive } from '../../lead/store/key-store.ts';
import { ArgumentError, failure, type Report } from '../command.ts';
import { service } from '../../facts/load.ts';
import type { KeyContext } from './context.ts';
import { keyData, keysTable, keyText, ownerText, stateText } from './key-text.ts';

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
		throw new ArgumentError(`There is nobody to ask whether that is meant. Run ${program} revoke ${id} --yes`);
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
		return 'That is no id: an id has digits and the letters a to f, and list shows it. Of a key itself check tells the id.';
	const [found, another] = (await keys.list()).filter(({ id }) => id.startsWith(wanted));
	if (found === undefined) return `There is no key ${part}. Its owner may have been erased, or it ended long ago. See list.`;
	return another === undefined ? found : `More than one key has an id that begins with ${part}. Write more of the id.`;
}
