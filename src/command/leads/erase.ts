import { ArgumentError, failure, type Report } from '../command.ts';
import type { Kept } from '../../lead/store/store.ts';
import type { StoreContext } from './context.ts';

/** `erase EMAIL` */
export async function erase({ leads, operand, values, confirm, program }: StoreContext): Promise<Report> {
	const email = operand!;
	if (!email.includes('@')) throw new ArgumentError(`${email} is not an email address. Run ${program} erase EMAIL`);
	if (!values.yes && confirm === undefined)
		throw new ArgumentError(
			`This needs a confirmation, and there is no terminal to ask for it. Run ${program} erase ${email} --yes`,
		);

	const kept = await leads.countOf(email);
	const known = kept.entries + kept.keys > 0;
	if (known && !values.yes && !(await confirm!(`Delete ${describeKept(kept)} of ${email} for good?`)))
		return failure('Nothing was deleted.');
	// Erases even without an entry: hashes that remember a person outlive their entries.
	const erased = await leads.erase(email);
	// Rows that anybody deleted earlier may still be in the files.
	if (!known)
		return failure((await leads.scrub()) ? `Nothing is kept of ${email}.` : `No entry is of ${email}. ${left(program, email)}`);
	const data = { erased: erased.entries, erasedKeys: erased.keys };
	const deleted = `Deleted ${describeKept(erased)} of ${email}`;
	if (!(await leads.scrub()))
		return { done: false, data: { ...data, scrubbed: false }, text: `${deleted}. ${left(program, email)}` };
	return { done: true, data, text: `${deleted}. Copies that were delivered are still in the channels: delete them there too.` };
}

const left = (program: string, email: string) =>
	'The files of the store still hold what was deleted: another program is reading there.\n' +
	`End what reads the store (a backup, a copy, a database tool), then run ${program} erase ${email} again to clean the files.`;

/** Names API keys only if there are some: few people have one. */
function describeKept({ entries, keys }: Kept): string {
	const ofKeys = keys === 1 ? '1 API key' : `${keys} API keys`;
	return [entries === 1 ? '1 entry' : `${entries} entries`, ...(keys > 0 ? [ofKeys] : [])].join(' and ');
}
