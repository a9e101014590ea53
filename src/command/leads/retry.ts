import { ArgumentError, failure, type Report } from '../command.ts';
import type { StoreContext } from './context.ts';
import { findEntry } from './entries.ts';

/** The outbox looks for due deliveries at least this often. */
export const SOON = 'A running server tries it within 15 seconds, another when it starts.';

/** `retry ID`, `retry --parked` */
export async function retry({ leads, channels, operand, values, program }: StoreContext): Promise<Report> {
	if ((values.parked === true) === (operand !== undefined))
		throw new ArgumentError(`Retry one, or all that are given up:\n${program} retry ID\n${program} retry --parked`);
	const entry = operand === undefined ? undefined : await findEntry(leads, operand);
	if (typeof entry === 'string') return failure(entry);
	if (entry?.state === 'quarantined')
		return failure(`It is in quarantine, and was never tried. If it is real, run ${program} release ${operand}`);
	if (channels.length === 0) return failure('There is no channel to retry over: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
	const names = channels.map(({ name }) => name);
	const retried = await leads.retry(entry ?? 'stuck', names);
	if (entry && retried === 0) return failure('Every channel has it, or tries it now: there is nothing to retry.');
	const count = retried === 1 ? '1 delivery' : `${retried} deliveries`;
	return { done: true, data: { retried }, text: retried === 0 ? 'Nothing is parked.' : `Due now: ${count}. ${SOON}` };
}
