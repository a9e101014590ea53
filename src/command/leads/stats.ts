import { ArgumentError, type Report } from '../command.ts';
import { table } from '../printing.ts';
import { languages, pathIn } from '../../facts/load.ts';
import { API_ACCESS } from '../../facts/links.ts';
import { countryHash, sourceHash } from '../../lead/keyed-hash.ts';
import type { ReceivedLead } from '../../lead/message/message.ts';
import { truncate } from '../../lead/message/truncate.ts';
import { type LeadStore, REST, type Tally, TALLIED_DAYS, type TallyKind } from '../../lead/store/store.ts';
import { isTime, secondsOf, TIME_UNITS, timeText } from '../../values/time.ts';
import type { StoreContext } from './context.ts';

/** The dimensions by which leads can be counted. */
export const dimensions = ['day', 'source', 'language', 'country', 'channel', 'verdict'] as const satisfies (TallyKind | 'day')[];

/** How many values a table shows. All others are one row. */
const SHOWN = 25;
/** The longest time that tallies are kept. */
export const LONGEST = timeText(TALLIED_DAYS * 86_400);

/** `stats`: reads tallies only, so it takes no longer when there are many leads. */
export async function stats({ leads, values, columns }: StoreContext): Promise<Report> {
	const { by = 'day', since = '30d' } = values;
	if (!isTime(since, LONGEST))
		throw new ArgumentError(`--since is a time in ${TIME_UNITS}, ${LONGEST} at most, for example --since 30d.`);
	// Today is one of the days.
	const days = Math.ceil(secondsOf(since) / 86_400);
	const dates = Array.from({ length: days }, (_, index) => dayOf(Date.now() - (days - 1 - index) * 86_400_000));
	const perDay = await leads.tally('day', dates[0]!);
	const total = perDay.reduce((sum, { leads }) => sum + leads, 0);
	const counts =
		by === 'day'
			? dates.map((value) => perDay.find((tally) => tally.value === value) ?? { value, leads: 0 })
			: shortened(await named[by](await leads.tally(by, dates[0]!), leads));
	const note = by === 'verdict' ? ' A hit filled the hidden field: it is in no other count.' : '';
	const text = `${chart(by, counts, columns)}\n\n${total} ${total === 1 ? 'lead' : 'leads'} since ${dates[0]} (UTC).${note}`;
	return { done: true, data: { by, since: dates[0], leads: total, counts }, text };
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Prints a row for each count. On a terminal a bar stands beside it, and a name has half of the line at most. */
function chart(by: string, counts: Tally[], columns = Infinity): string {
	const most = Math.max(...counts.map(({ leads }) => leads), 1);
	const names = counts.map(({ value }) => truncate(value, columns / 2));
	const [first, second] = [Math.max(by.length, ...names.map(({ length }) => length)), Math.max(5, String(most).length)];
	const bars = ({ leads }: Tally) => (columns === Infinity ? [] : [bar((leads / most) * (columns - first - second - 4))]);
	return table(
		[by, 'Leads', ''],
		counts.map((count, index) => [names[index]!, String(count.leads).padStart(second), ...bars(count)]),
	);
}

/** Draws a bar to an eighth of a character. @param length in characters */
function bar(length: number): string {
	const eighths = Math.max(Math.round(length * 8), 0);
	return '█'.repeat(eighths >> 3) + ' ▏▎▍▌▋▊▉'[eighths % 8];
}

/** Merges counts of one name, the most first, and those beyond the first few. Counts of nothing known are last. */
function shortened(tallies: Tally[]): Tally[] {
	const byName = Map.groupBy(tallies, ({ value }) => value);
	const rows = [...byName].map(([value, same]) => ({ value, leads: same.reduce((sum, { leads }) => sum + leads, 0) }));
	const known = rows.filter(({ value }) => value !== REST).toSorted((one, two) => two.leads - one.leads);
	const rest = [...rows.filter(({ value }) => value === REST), ...known.slice(SHOWN)].reduce((sum, { leads }) => sum + leads, 0);
	return [...known.slice(0, SHOWN), ...(rest > 0 ? [{ value: REST, leads: rest }] : [])];
}

/** Gives the values their names. */
type Naming = (tallies: Tally[], leads: LeadStore) => Tally[] | Promise<Tally[]>;

const byName = (tallies: Tally[], nameOf: (value: string) => string | undefined): Tally[] =>
	tallies.map(({ value, leads }) => ({ value: value === '' ? 'not given' : (nameOf(value) ?? REST), leads }));

const englishName = (type: 'language' | 'region', code: string) =>
	new Intl.DisplayNames('en', { type, fallback: 'none' }).of(code);

const named: Record<TallyKind, Naming> = {
	channel: (tallies) => tallies,
	verdict: (tallies) => tallies,
	language: (tallies) => byName(tallies, (code) => englishName('language', code)),
	/** A country is known by its name in any language of the site, and by its code. */
	country(tallies, { secret }) {
		const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
		const english = new Map(letters.flatMap((one) => letters.map((two) => [one + two, englishName('region', one + two)])));
		const names = new Map<string, string>();
		for (const locale of languages)
			for (const style of ['short', 'long'] as const) {
				const display = new Intl.DisplayNames(locale, { type: 'region', style });
				for (const [code, name] of english)
					if (name) for (const written of [code, display.of(code)!]) names.set(countryHash(secret, written), name);
			}
		return byName(tallies, (hash) => names.get(hash));
	},
	/** A source is known if it is ours, or while a lead from there is kept. */
	source: async (tallies, leads) => {
		const ours = [API_ACCESS, ...languages.map((language) => pathIn(language, '/contact'))];
		const names = new Map(ours.map((source) => [sourceHash(leads.secret, source), source]));
		for (const { value } of tallies.filter(({ value }) => value !== '' && !names.has(value)).slice(0, SHOWN)) {
			const [entry] = await leads.list({ source: value, limit: 1 });
			const source = entry && (JSON.parse(entry.payload) as ReceivedLead).lead.source;
			if (source) names.set(value, source);
		}
		return byName(tallies, (hash) => names.get(hash));
	},
};
