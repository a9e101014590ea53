import { purgeStore } from '../upkeep/retention.ts';
import { ArgumentError, failed, type Report, type StoreContext } from './context.ts';

/** `erase EMAIL` */
export async function erase({ leads, operand, values, confirm, program }: StoreContext): Promise<Report> {
	const email = operand!;
	if (!email.includes('@')) throw new ArgumentError(`${email} is not an email address. Run ${program} erase EMAIL`);
	if (!values.yes && confirm === undefined)
		throw new ArgumentError(`There is nobody to ask whether that is meant. Run ${program} erase ${email} --yes`);

	const count = await leads.countOf(email);
	// What was deleted before, by whomever, may still be in the files.
	if (count === 0)
		return failed((await leads.scrub()) ? `Nothing is kept of ${email}.` : `No entry is of ${email}, but ${left(program)}`);
	if (!values.yes && !(await confirm!(`Delete ${entries(count)} of ${email} for good?`))) return failed('Nothing was deleted.');
	const erased = await leads.erase(email);
	const deleted = `Deleted ${entries(erased)} of ${email}`;
	if (!(await leads.scrub()))
		return { done: false, data: { erased, scrubbed: false }, text: `${deleted} from the store, but ${left(program)}` };
	return { done: true, data: { erased }, text: `${deleted}. What was delivered lies with the channels: delete it there too.` };
}

const left = (program: string) =>
	'its files still hold what was deleted: another program is reading there.\n' +
	`End what reads the store (a backup, a copy, a database tool), then run ${program} purge to clean the files.`;

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);

/** `purge` */
export async function purge({ leads, retention }: StoreContext): Promise<Report> {
	const purged = await purgeStore(leads, retention);
	const text = purged === 0 ? 'Nothing to delete: no time is over.' : `Deleted: ${purged}.`;
	if (await leads.scrub()) return { done: true, data: { purged }, text };
	return { done: false, data: { purged, scrubbed: false }, text: `${text}\n${STILL_THERE}` };
}

const STILL_THERE =
	'The files of the store still hold what was deleted: another program is reading there. End it, and run this again.';
