import { languageName } from '../editing/language-tag.ts';
import { leadFields } from '../lead/lead.ts';
import { factsOf } from '../service/facts.ts';
import { defaultLanguage } from '../service/language.ts';
import { markdownPath, paths } from '../service/links.ts';
import type { Page, Source } from './source.ts';

/** `/llms.txt` (llmstxt.org): what there is for a reader that is a program. It leads to the pages in Markdown. */
export function llmsTxt({ service, words, origin, links, documents, pages }: Source): string {
	const facts = factsOf(service, links, words);
	const otherDocuments = documents.filter(({ path }) => path !== paths.llmsTxt);
	const addressOf = ({ path }: Page) => new URL(markdownPath(path), origin).href;
	const list = (chosen: Page[]) => chosen.map((page) => item(page.title, addressOf(page), page.description));
	const own = pages.filter(({ language }) => language === defaultLanguage);
	const others = Map.groupBy(
		pages.filter((page) => !own.includes(page)),
		({ language }) => language,
	);

	return `# ${service.name}

> ${facts['description']}

Prices: pay as you go from ${facts['price.payAsYouGo']}, plans from ${facts['price.plans']}.

Send a lead: \`POST ${links.submitLead}\` with a JSON object; required are ${requiredFields()}. No credentials are needed.
\`consent\` is the literal \`on\`: a person has read the privacy notice and agrees. Do not agree in their place.

See whether the API is up: \`GET ${links.getStatus}\`.

${[
	section(
		'Documents for programs',
		otherDocuments.map(({ path, purpose }) => item(path, origin + path, purpose)),
	),
	section('Documentation', list(own.filter(isDocs))),
	section('Pages', list(own.filter((page) => !isDocs(page)))),
	section(
		'Pages in other languages',
		[...others].map(
			([language, translations]) =>
				`- ${languageName(language)}: ${translations.map((page) => `[${page.title}](${addressOf(page)})`).join(', ')}`,
		),
	),
]
	.filter(Boolean)
	.join('\n')}`;
}

const requiredFields = () =>
	new Intl.ListFormat('en-GB').format(leadFields.filter(({ required }) => required).map(({ name }) => `\`${name}\``));

const isDocs = ({ path }: Page) => path.startsWith(paths.docs);

const item = (name: string, url: string, note: string) => `- [${name}](${url}): ${note}`;

const section = (heading: string, items: string[]) => (items.length === 0 ? '' : `## ${heading}\n\n${items.join('\n')}\n`);
