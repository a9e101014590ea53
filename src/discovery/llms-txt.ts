import * as z from 'zod';
import { defaultLanguage, languageName } from '../facts/language.ts';
import { type Operation, operations } from '../api/operations.ts';
import { markdownPath, paths } from '../facts/links.ts';
import type { Page, Source } from './source.ts';

/** `/llms.txt` (llmstxt.org): an index of documents and pages for programs. It links to the pages in Markdown. */
export function llmsTxt({ service, facts, origin, links, documents, pages }: Source): string {
	const otherDocuments = documents.filter(({ path }) => path !== paths.llmsTxt);
	const addressOf = ({ path }: Page) => new URL(markdownPath(path), origin).href;
	const list = (chosen: Page[]) => chosen.map((page) => item(page.title, addressOf(page), page.description));
	const listed = pages.filter(({ isDetail }) => !isDetail);
	const own = listed.filter(({ language }) => language === defaultLanguage);
	const others = listed.filter((page) => !own.includes(page));
	const sections: Record<string, string[]> = {
		'Documents for programs': otherDocuments.map(({ path, purpose }) => item(path, origin + path, purpose)),
		Documentation: list(own.filter(isGuide)),
		Pages: list(own.filter((page) => !isGuide(page))),
		'Other languages': [...Map.groupBy(others, ({ language }) => language)].map(([language, [start, ...rest]]) =>
			item(languageName(language) ?? language, addressOf(start!), rest.map(({ path }) => markdownPath(path)).join(', ')),
		),
	};

	return `# ${service.name}

> ${facts['description']}

Prices: pay as you go from ${facts['price.payAsYouGo']}, plans from ${facts['price.plans']}.

To send a lead for a person, read [SKILL.md](${links.skill}): what to ask, the words of consent, what to send. No credentials are needed.
If you cannot ask the person now, send nothing: hand them \`${links.contact}#name=…&clinic=…&email=…&message=…\`, percent-encoded: with JavaScript, that fills in the form.

There is no MCP server here; call the HTTP API.

${operations.map((operation) => callOf(operation, origin, facts)).join('\n\n')}

${Object.entries(sections)
	.filter(([, items]) => items.length > 0)
	.map(([heading, items]) => `## ${heading}\n\n${items.join('\n')}\n`)
	.join('\n')}`;
}

/** Describes a call in words, with the required members of its body. */
function callOf({ summary, description, methods, path, body }: Operation, origin: string, facts: Source['facts']): string {
	const call = `${summary}: \`${methods[0]} ${origin}${path}\``;
	if (body === undefined) return `${call}. ${description}`;
	const { required = [] } = z.toJSONSchema(body.schema(), { io: 'input' });
	const names = new Intl.ListFormat('en-GB').format(required.map((name) => `\`${name}\``));
	return `${call} with a JSON object. It must have ${names}.${required.includes('consent') ? `\n\`consent\` is the literal \`on\`. ${facts['consent.rule']}` : ''}`;
}

const isGuide = ({ path }: Page) => path.startsWith(paths.docs);

const item = (name: string, url: string, note: string) => `- [${name}](${url}): ${note}`;
