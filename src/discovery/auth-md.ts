import { ContentError } from '../service/content-error.ts';
import { factsOf, fillFacts } from '../service/facts.ts';
import { paths } from '../service/links.ts';
import { told } from '../service/mistake.ts';
import type { Source } from './source.ts';

/**
 * `/auth.md` (github.com/workos/auth.md, v0.1.0): the prose of `content/auth.md` for the present state of OAuth, with its facts.
 *
 * @throws {ContentError} a mark of a state is not as it must be, or no fact has a name that is used
 */
export function authMd({ service, origin, links, documents, authMd: text }: Source): string {
	const others = documents.filter(({ path }) => path !== paths.authMd);
	const list = others.map(({ path, purpose }) => `- <${origin}${path}>: ${purpose}`).join('\n');
	return fillFacts(inState(text, service.oauth.state), { ...factsOf(service, links), 'list.documents': list }, FILE);
}

const FILE = 'content/auth.md';

/** Keeps what stands between `<!-- oauth: planned -->` (or `live`) and `<!-- /oauth -->` in that state only. */
function inState(text: string, state: string): string {
	const stated = text.replace(
		/\n*<!-- oauth: (planned|live) -->\s*([\s\S]*?)\s*<!-- \/oauth -->\n*/g,
		(_, when: string, block: string) => (when === state ? `\n\n${block}\n\n` : '\n\n'),
	);
	const mark = /<!--.*oauth.*-->/.exec(stated)?.[0];
	if (mark === undefined) return stated;
	const wanted = '<!-- oauth: planned --> or <!-- oauth: live -->, and after it <!-- /oauth -->';
	throw new ContentError([told(FILE, { found: mark, wanted })]);
}
