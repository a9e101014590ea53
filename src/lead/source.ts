import { campaignNames } from './campaign.ts';
import { leadFields } from './lead.ts';
import { cleanLine } from './text.ts';
import { fillWords, isRightToLeft } from '../facts/language.ts';
import { topics } from '../facts/links.ts';
import { wordsIn } from '../facts/load.ts';

/** Splits a `source` into its page and the query behind it, as in `/contact?topic=plans&from=google.com&utm_campaign=spring`. */
function partsOf(source: string) {
	// Each parameter takes time, and a robot may send thousands.
	const [page = '', query] = source.slice(0, 10 * LONGEST).split('?', 2);
	// Cleaned again, because percent-encoding may hide any character.
	const visit = new URLSearchParams(Array.from(new URLSearchParams(query), ([name, value]) => [name, cleanLine(value)]));
	const topic = visit.get('topic');
	return { page, visit, place: topic === null ? page : `${page}?topic=${topic}` };
}

/** Returns the offer whose price a lead asks for, and its name in a language. */
export function topicOf(source: string, language: string) {
	const topic = topics.find((name) => name === partsOf(source).visit.get('topic'));
	return topic && { topic, name: topicName(topic, language) };
}

/** Returns the name of an offer, as its price card has it. */
export function topicName(topic: (typeof topics)[number], language: string): string {
	const { payAsYouGo, plans } = wordsIn(language);
	return { payg: payAsYouGo, plans }[topic];
}

/** Returns the group of a lead in statistics: the campaign or, without one, the page with its topic. Other texts are groups themselves. */
export function sourceGroup(source: string): string {
	if (!source.startsWith('/')) return source;
	const { place, visit } = partsOf(source);
	return visit.get('utm_campaign') ?? visit.get('utm_source') ?? place;
}

/** Says in words where a lead comes from: `/contact, came from google.com, campaign spring, first page /de`. In Arabic too, the address reads from the left. */
export function sourceText(source: string, language: string): string {
	if (!source.startsWith('/')) return source;
	const { place, visit } = partsOf(source);
	const words = wordsIn(language).visit;
	const campaign = campaignNames.flatMap((name) => visit.get(name) ?? []).join(' / ');
	const parts = Object.entries({ from: visit.get('from'), campaign, first: visit.get('first') });
	return [
		(isRightToLeft(language) ? '\u200F\u200E' : '') + place,
		...parts.filter(([, value]) => value).map(([name, value]) => fillWords(words[name as 'from'], { value: value! })),
	].join(', ');
}

const LONGEST = leadFields.find(({ name }) => name === 'source')!.maxLength!;

/** Adds to the `source` of a form those parameters of its page's address that it lacks and that fit. @param names of the parameters */
export function completeSource(source: string, address: URLSearchParams, names: readonly string[]): string {
	const { page, visit } = partsOf(source);
	for (const name of names) if (!visit.has(name) && address.get(name)) visit.set(name, address.get(name)!);
	const fitting = [...visit].reduce((kept, pair) => {
		const longer = [kept, new URLSearchParams([pair]).toString()].filter(Boolean).join('&');
		return longer.length + page.length < LONGEST ? longer : kept;
	}, '');
	return fitting ? `${page}?${fitting}` : page;
}
