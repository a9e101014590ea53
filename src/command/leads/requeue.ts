import { ArgumentError, failure, type Report } from '../command.ts';
import type { ReceivedLead } from '../../lead/message/message.ts';
import { faultsOf } from '../../lead/intake/quarantine.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import type { StoreContext } from './context.ts';
import { findEntry } from './entries.ts';

/** The outbox looks for due deliveries at least this often. */
const SOON = 'A running server tries it within 15 seconds, another when it starts.';

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

/** `release ID` */
export async function release({ leads, operand, channels, program }: StoreContext): Promise<Report> {
	const entry = await findEntry(leads, operand!);
	if (typeof entry === 'string') return failure(entry);
	if (entry.state !== 'quarantined') return failure(`It is not in quarantine: it is ${entry.state}.`);
	if (channels.length === 0)
		return failure('There is no channel to release it to: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');

	const faults = faultsOf((JSON.parse(entry.payload) as ReceivedLead).lead);
	if (faults.length > 0)
		return failure(
			`It is not a lead that could be delivered: ${faults.join(', ')}.\nRead what there is of it with ${program} show ${operand}`,
		);

	const names = channels.map(({ name }) => name);
	if (!(await leads.release(entry.id, names))) return failure('It is not in quarantine any more.');
	return { done: true, data: { released: entry.id, channels: names }, text: `Released to ${names.join(', ')}. ${SOON}` };
}
