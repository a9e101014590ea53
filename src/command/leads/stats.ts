import { ArgumentError, type Report } from '../command.ts';
import { table } from '../printing.ts';
import type { ReceivedLead } from '../../lead/message/message.ts';
import type { StoredEntry } from '../../lead/store/store.ts';
import { isTime, LONGEST_KEPT, secondsOf, TIME_UNITS } from '../../values/time.ts';
import type { StoreContext } from './context.ts';
import { pagesOf } from './export.ts';

/** By what leads are counted: the values of a lead. */
const valuesOf: Record<string, (entry: StoredEntry, lead: ReceivedLead['lead']) => (string | undefined)[]> = {
	day: ({ receivedAt }) => [new Date(receivedAt).toISOString().slice(0, 10)],
	source: (_, { source }) => [source],
	language: (_, { lang }) => [lang],
	country: (_, { country }) => [country],
	channel: ({ deliveries }) => deliveries.filter(({ state }) => state === 'sent').map(({ channel }) => channel),
	verdict: ({ spam }) => [spam?.verdict],
};

export const dimensions = Object.keys(valuesOf);

/** `stats`: counts the leads that are kept. Those in quarantine count by verdict only. */
export async function stats({ leads, values: { by = 'day', since = '30d' } }: StoreContext): Promise<Report> {
	if (!isTime(since, LONGEST_KEPT)) throw new ArgumentError(`--since is a time in ${TIME_UNITS}, for example --since 30d.`);
	const start = new Date(Date.now() - secondsOf(since) * 1000);
	const counts = new Map<string, number>();
	let total = 0;
	for await (const page of pagesOf(leads)) {
		const young = page.filter(({ receivedAt }) => receivedAt >= start.getTime());
		const counted = young.filter(({ kind, state }) => kind === 'lead' && (state !== 'quarantined' || by === 'verdict'));
		total += counted.length;
		const values = counted.flatMap((entry) => valuesOf[by]!(entry, (JSON.parse(entry.payload) as ReceivedLead).lead));
		for (const value of values) counts.set(value || 'none', (counts.get(value || 'none') ?? 0) + 1);
		if (young.length < page.length) break;
	}
	const sorted = [...counts].toSorted().toSorted((one, other) => (by === 'day' ? 0 : other[1] - one[1]));
	const rows = sorted.map(([value, number]) => [value, String(number)]);
	const text = `${table([by, 'Leads'], rows)}\n\n${total} ${total === 1 ? 'lead' : 'leads'} since ${start.toISOString()}.`;
	const data = { by, since: start, leads: total, counts: sorted.map(([value, leads]) => ({ value, leads })) };
	return { done: true, data, text };
}
