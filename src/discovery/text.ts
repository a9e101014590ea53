import { factsOf, fillFacts } from '../service/facts.ts';
import { inStates, statesOf } from '../service/states.ts';
import { fieldList } from './field-rules.ts';
import { problemTable } from './problem-table.ts';
import type { Source } from './source.ts';

/** The facts that only the texts for programs know. */
const textFacts = ({ service, origin, links, documents }: Source) => ({
	'list.documents': documents.map(({ path, purpose }) => `- <${origin}${path}>: ${purpose}`).join('\n'),
	'list.fields': fieldList(),
	'list.problems': problemTable({ service, links }),
});

/**
 * A text of `content/` for programs, as it is published: in the present states of what it depends on, with its facts.
 *
 * @throws {ContentError} a mark of a state is not as it must be, or no fact has a name that is used
 */
export function publishedText(text: string, file: string, source: Source): string {
	const { service, links, words } = source;
	const facts = { ...factsOf(service, links, words), ...textFacts(source) };
	return fillFacts(inStates(text, statesOf(service), file), facts, file);
}
