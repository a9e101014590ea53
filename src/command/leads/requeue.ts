import { ArgumentError, failure, type Report } from '../command.ts';
import type { LeadStore } from '../../lead/store/store.ts';
import type { StoreContext } from './context.ts';
import { findEntry } from './entries.ts';
import { warnOfStranded } from './list.ts';

/** The outbox looks for due deliveries at least this often. */
export const SOON = 'A running server tries it within 15 seconds, another when it starts.';

/** `retry ID`, `retry --parked` */
export async function retry(context: StoreContext): Promise<Report> {
	const { leads, operand, values, program } = context;
	const parked = values.parked === true;
	if (parked === (operand !== undefined))
		throw new ArgumentError(`Retry one, or all that are given up:\n${program} retry ID\n${program} retry --parked`);
	const retried = operand === undefined ? await leads.retry('parked') : await retryOne(leads, operand, program);
	if (typeof retried === 'string') return failure(retried);
	const text = retried === 0 ? 'Nothing is parked.' : dueNow(retried);
	return { done: true, data: { retried }, text: [text, await warnOfStranded(context)].filter(Boolean).join('\n\n') };
}

/** Returns the number of deliveries, or why there is none. */
async function retryOne(leads: LeadStore, beginning: string, program: string): Promise<number | string> {
	const entry = await findEntry(leads, beginning);
	if (typeof entry === 'string') return entry;
	if (entry.state === 'quarantined')
		return `It is in quarantine, and was never tried. If it is real, run ${program} release ${beginning}`;
	return (await leads.retry({ id: entry.id })) || 'Every channel has it: there is nothing to retry.';
}

/** `move FROM TO` */
export async function move({ leads, channels, operands = [] }: StoreContext): Promise<Report> {
	const [from, to] = operands as [string, string];
	const target = channels.find(({ name }) => name === to && name !== from);
	if (target === undefined)
		return failure(`${to} is no other channel of these settings. Their channels: ${named(channels.map(({ name }) => name))}.`);
	const { moved, ended } = await leads.move(from, target);
	const pending = await leads.pendingChannels();
	const text = [
		moved > 0 && dueNow(moved),
		ended > 0 && `Ended: ${deliveries(ended)}. ${to} has delivered these entries.`,
		pending.includes(from) && `${from} keeps what ${to} does not take, or has still to deliver itself: then move it again.`,
	];
	if (moved + ended > 0) return { done: true, data: { moved, ended }, text: text.filter(Boolean).join('\n') };
	return failure(text[2] || `${from} has nothing to deliver. Channels that have: ${named(pending)}.`);
}

const named = (channels: string[]) => channels.join(', ') || 'none';

const dueNow = (count: number) => `Due now: ${deliveries(count)}. ${SOON}`;

const deliveries = (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`);
