import type { ReceivedLead } from '../delivery/message.ts';
import { faultsOf } from '../intake/quarantine.ts';
import { findEntry } from './find-entry.ts';
import { failed, type Report, type StoreContext } from './report.ts';
import { SOON } from './retry.ts';

/** `release ID` */
export async function release({ leads, operand, channels, program }: StoreContext): Promise<Report> {
	const entry = await findEntry(leads, operand!);
	if (typeof entry === 'string') return failed(entry);
	if (entry.state !== 'quarantined') return failed(`It is not in quarantine: it is ${entry.state}.`);
	if (channels.length === 0)
		return failed('There is no channel to release it to: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');

	const faults = faultsOf((JSON.parse(entry.payload) as ReceivedLead).lead);
	if (faults.length > 0)
		return failed(
			`It is not a lead that could be delivered: ${faults.join(', ')}.\nRead what there is of it with ${program} show ${operand}`,
		);

	const names = channels.map(({ name }) => name);
	if (!(await leads.release(entry.id, names))) return failed('It is not in quarantine any more.');
	return { done: true, data: { released: entry.id, channels: names }, text: `Released to ${names.join(', ')}. ${SOON}` };
}
