import type { Confirmation } from '../confirmation.ts';
import type { ReceivedLead } from '../message.ts';
import { comparable } from '../store/rows.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';
import { ArgumentError } from './argument-error.ts';
import { failed, type Report, type StoreContext } from './report.ts';

/** `erase EMAIL` */
export async function erase({ leads, operand, values, confirm, program }: StoreContext): Promise<Report> {
	const email = operand!;
	if (!email.includes('@')) throw new ArgumentError(`${email} is not an email address. Run ${program} erase EMAIL`);
	if (!values.yes && confirm === undefined)
		throw new ArgumentError(`There is nobody to ask whether that is meant. Run ${program} erase ${email} --yes`);

	const count = await countOf(leads, email);
	if (count === 0) return failed(`Nothing is kept of ${email}.`);
	if (!values.yes && !(await confirm!(`Delete ${entries(count)} of ${email} for good?`))) return failed('Nothing was deleted.');
	const erased = await leads.erase(email);
	return {
		done: true,
		data: { erased },
		text: `Deleted ${entries(erased)} of ${email}. What was delivered lies with the channels: delete it there too.`,
	};
}

async function countOf(leads: LeadStore, email: string): Promise<number> {
	const wanted = comparable(email);
	return (await leads.list()).filter((entry) => comparable(ownerOf(entry) ?? '') === wanted).length;
}

/** The address of whom an entry is about. */
function ownerOf({ payload }: StoredEntry): string | undefined {
	const { lead, address } = JSON.parse(payload) as Partial<ReceivedLead & Confirmation>;
	return lead?.email ?? address;
}

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);
