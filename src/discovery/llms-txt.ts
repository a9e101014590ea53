import { factsOf } from '../service/facts.ts';
import { markdownPath, paths } from '../service/links.ts';
import type { Page, Source } from './source.ts';

/** `/llms.txt` (llmstxt.org): what there is for a reader that is a program. It leads to the pages in Markdown. */
export function llmsTxt({ service, origin, links, pages }: Source): string {
	const facts = factsOf(service, links);
	const list = (chosen: Page[]) =>
		chosen.map(({ path, title, description }) => item(title, new URL(markdownPath(path), origin).href, description));

	return `# ${service.name}

> ${service.description}

Prices: pay as you go from ${facts['price.payAsYouGo']}, plans from ${facts['price.plans']}.

The API takes sales leads and reports its own status. Both operations need no credentials. Send a lead only for a person who has read
the privacy notice and agrees; do not agree in their place.

${[
	section('API', [
		item('auth.md', links.authMd, 'How programs get access, and what they may do.'),
		item('OpenAPI description', links.openapi, 'Both operations, their fields and every answer.'),
		item('API catalog', links.apiCatalog, 'Links to the operations and their descriptions (RFC 9727).'),
		item('Status', links.getStatus, 'Whether the API is up.'),
	]),
	section('Documentation', list(pages.filter(isDocs))),
	section('Pages', list(pages.filter((page) => !isDocs(page)))),
	section('Optional', [
		item('Protected resource metadata', links.protectedResource, 'Scopes of the API (RFC 9728).'),
		item('Sitemap', links.sitemap, 'Every page.'),
		item('security.txt', links.securityTxt, 'Where to report a weakness (RFC 9116).'),
	]),
]
	.filter(Boolean)
	.join('\n')}`;
}

const isDocs = ({ path }: Page) => path.startsWith(paths.docs);

const item = (name: string, url: string, note: string) => `- [${name}](${url}): ${note}`;

const section = (heading: string, items: string[]) => (items.length === 0 ? '' : `## ${heading}\n\n${items.join('\n')}\n`);
