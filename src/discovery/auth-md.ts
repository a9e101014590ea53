import { factsOf, fillFacts } from '../service/facts.ts';
import { paths } from '../service/links.ts';
import { inStates, statesOf } from '../service/states.ts';
import type { Source } from './source.ts';

/**
 * `/auth.md` (github.com/workos/auth.md, v0.1.0): the prose of `content/auth.md` for the present state of OAuth, with its facts.
 *
 * @throws {ContentError} a mark of a state is not as it must be, or no fact has a name that is used
 */
export function authMd({ service, origin, links, documents, authMd: text }: Source): string {
	const others = documents.filter(({ path }) => path !== paths.authMd);
	const list = others.map(({ path, purpose }) => `- <${origin}${path}>: ${purpose}`).join('\n');
	return fillFacts(inStates(text, statesOf(service), FILE), { ...factsOf(service, links), 'list.documents': list }, FILE);
}

const FILE = 'content/auth.md';
