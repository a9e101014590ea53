import { ArgumentError, failure, type Report } from '../command.ts';
import { keyFormOf } from '../../facts/key-form.ts';
import { service } from '../../facts/load.ts';
import { isKey, keyHash, publicTestKey } from '../../keys/key.ts';
import { keyWithHash } from '../../keys/keyring.ts';
import { type CommandContext, type KeyContext, onKeys } from './context.ts';
import { isTaken, keyData, keyText } from './key-text.ts';

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
