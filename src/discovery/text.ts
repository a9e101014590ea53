import { ContentError } from '../service/content-error.ts';
import { factsOf, fillFacts } from '../service/facts.ts';
import { told } from '../service/mistake.ts';
import { fieldList } from './field-rules.ts';
import { problemTable } from './problem-table.ts';
import type { Source } from './source.ts';

/** The facts that only the texts for programs know. */
const textFacts = ({ origin, links, documents }: Pick<Source, 'origin' | 'links' | 'documents'>) => ({
	'list.documents': documents.map(({ path, purpose }) => `- <${origin}${path}>: ${purpose}`).join('\n'),
	'list.fields': fieldList(),
	'list.problems': problemTable(links),
});

/**
 * A text of `content/` for programs, as it is published: for the present state of OAuth, with its facts.
 *
 * @throws {ContentError} a mark of a state is not as it must be, or no fact has a name that is used
 */
export function publishedText(text: string, file: string, source: Source): string {
	const { service, links } = source;
	return fillFacts(inState(text, service.oauth.state, file), { ...factsOf(service, links), ...textFacts(source) }, file);
}

/** Keeps what stands between `<!-- oauth: planned -->` (or `live`) and `<!-- /oauth -->` in that state only. */
function inState(text: string, state: string, file: string): string {
	const stated = text.replace(
		/\n*<!-- oauth: (planned|live) -->\s*([\s\S]*?)\s*<!-- \/oauth -->\n*/g,
		(_, when: string, block: string) => (when === state ? `\n\n${block}\n\n` : '\n\n'),
	);
	const mark = /<!--.*oauth.*-->/.exec(stated)?.[0];
	if (mark === undefined) return stated;
	const wanted = '<!-- oauth: planned --> or <!-- oauth: live -->, and after it <!-- /oauth -->';
	throw new ContentError([told(file, { found: mark, wanted })]);
}
