import type { Lead } from '../lead.ts';
import { comparable } from '../store/rows.ts';
import type { LeadStore } from '../store/store.ts';
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
	const all = (await leads.list()).filter(({ kind }) => kind === 'lead');
	return all.filter(({ payload }) => comparable((JSON.parse(payload) as { lead: Partial<Lead> }).lead.email ?? '') === wanted)
		.length;
}

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);
