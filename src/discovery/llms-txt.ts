import { factsOf } from '../service/facts.ts';
import { markdownPath, paths } from '../service/links.ts';
import type { Page, Source } from './source.ts';

/** `/llms.txt` (llmstxt.org): what there is for a reader that is a program. It leads to the pages in Markdown. */
export function llmsTxt({ service, origin, links, documents, pages }: Source): string {
	const facts = factsOf(service, links);
	const others = documents.filter(({ path }) => path !== paths.llmsTxt);
	const list = (chosen: Page[]) =>
		chosen.map(({ path, title, description }) => item(title, new URL(markdownPath(path), origin).href, description));

	return `# ${service.name}

> ${service.description}

Prices: pay as you go from ${facts['price.payAsYouGo']}, plans from ${facts['price.plans']}.

The API takes sales leads (POST ${links.submitLead}) and reports its own status (GET ${links.getStatus}). Both operations need no
credentials. Send a lead only for a person who has read the privacy notice and agrees; do not agree in their place.

${[
	section(
		'Documents for programs',
		others.map(({ path, purpose }) => item(path, origin + path, purpose)),
	),
	section('Documentation', list(pages.filter(isDocs))),
	section('Pages', list(pages.filter((page) => !isDocs(page)))),
]
	.filter(Boolean)
	.join('\n')}`;
}

const isDocs = ({ path }: Page) => path.startsWith(paths.docs);

const item = (name: string, url: string, note: string) => `- [${name}](${url}): ${note}`;

const section = (heading: string, items: string[]) => (items.length === 0 ? '' : `## ${heading}\n\n${items.join('\n')}\n`);
