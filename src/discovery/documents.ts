import type { Answer } from '../api/answer.ts';
import { paths } from '../facts/links.ts';
import { operations } from '../api/operations.ts';
import { visible } from '../lead/text.ts';
import { linkHeader } from './link-header.ts';
import { openapi } from './openapi.ts';
import type { Document, Source } from './source.ts';
import { agentSkills, authMd, llmsTxt, skill } from './text.ts';
import { apiCatalog, authorizationServer, protectedResource, robotsTxt, securityTxt, sitemap } from './well-known.ts';

const ofType =
	(mediaType: string, headers?: Document['headers']) =>
	(path: Document['path'], purpose: string, build: Document['build']): Document => ({ path, purpose, mediaType, build, headers });

const json = ofType('application/json');
const markdown = ofType('text/markdown; charset=utf-8');
const plain = ofType('text/plain; charset=utf-8');
const xml = ofType('application/xml');
/** The media type of RFC 9727 section 4.2, with the headers of GET and HEAD (sections 2 and 3). */
const linkset = ofType('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', ({ links, origin }) => {
	const items = operations.map(({ path }) => ({ href: origin + path, rel: 'item' }));
	return { link: linkHeader([{ href: links.apiCatalog, rel: 'api-catalog' }, ...items]) };
});

/** Every published document. The page for agents and `llms.txt` list them. */
export const documents: Document[] = [
	markdown(paths.authMd, 'Instructions for agents: identity, access, what to call.', authMd),
	plain(paths.llmsTxt, 'A short guide to the site for language models.', llmsTxt),
	json('/.well-known/agent-skills/index.json', 'Index of skills for agents (Agent Skills Discovery 0.2.0).', agentSkills),
	markdown(paths.skill, 'The skill of sending a lead: what to ask, what to send, and what each answer means.', skill),
	json(paths.openapi, 'The API in OpenAPI 3.1.0: every field, answer and error.', openapi),
	linkset(paths.apiCatalog, 'API catalog (RFC 9727): links to the description, the documentation and the status.', apiCatalog),
	json(paths.protectedResource, 'Protected resource metadata (RFC 9728): scopes, and how a key is sent.', protectedResource),
	json(
		paths.authorizationServer,
		'Authorization server metadata: that OAuth is planned, and how agents get access.',
		authorizationServer,
	),
	json(paths.openidConfiguration, 'The authorization server metadata again, for clients that look here.', authorizationServer),
	json(paths.jwks, 'Key set (RFC 7517): the public keys of OAuth. It is empty while there are none.', () => ({ keys: [] })),
	plain(paths.securityTxt, 'How to report a weakness (RFC 9116).', securityTxt),
	plain('/robots.txt', 'What search engines and AI systems may do with the pages (RFC 9309).', robotsTxt),
	xml(paths.sitemap, 'The address of every page that search engines may list.', sitemap),
];

/** Documents are public and the same for everybody, and each build renews them: programs on any origin may read them. */
const sharedHeaders = {
	'cache-control': 'public, max-age=300',
	'access-control-allow-origin': '*',
	'cross-origin-resource-policy': 'cross-origin',
};

/** Returns the answer that serves a document. */
export function documentAnswer({ mediaType, build, headers }: Document, source: Source): Answer {
	const content = build(source);
	return {
		status: 200,
		headers: { 'content-type': mediaType, ...sharedHeaders, ...headers?.(source) },
		body: typeof content === 'string' ? content : JSON.stringify(content).replace(/[^ -~]/g, shown),
	};
}

/** Escapes an invisible character, as a pattern has them: whoever reads the file sees it, and none changes how the text around it reads. */
const shown = (character: string) =>
	visible.test(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
