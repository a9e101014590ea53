import { ArgumentError, failure, type Report } from '../command.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import type { StoreContext } from './context.ts';
import { findEntry } from './entries.ts';

/** The outbox looks for due deliveries at least this often. */
export const SOON = 'A running server tries it within 15 seconds, another when it starts.';

/** `retry ID`, `retry --parked` */
export async function retry({ leads, operand, values, program }: StoreContext): Promise<Report> {
	const parked = values.parked === true;
	if (parked === (operand !== undefined))
		throw new ArgumentError(`Retry one, or all that are given up:\n${program} retry ID\n${program} retry --parked`);
	return operand === undefined ? report(await leads.retry('parked')) : retryOne(leads, operand, program);
}

async function retryOne(leads: LeadStore, beginning: string, program: string): Promise<Report> {
	const entry = await findEntry(leads, beginning);
	if (typeof entry === 'string') return failure(entry);
	if (entry.state === 'quarantined')
		return failure(`It is in quarantine, and was never tried. If it is real, run ${program} release ${beginning}`);
	const retried = await leads.retry({ id: entry.id });
	return retried > 0 ? report(retried) : failure('Every channel has it: there is nothing to retry.');
}

function report(retried: number): Report {
	const text = retried === 0 ? 'Nothing is parked.' : `Due now: ${deliveries(retried)}. ${SOON}`;
	return { done: true, data: { retried }, text };
}

const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`);
