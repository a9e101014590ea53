import { createHash } from 'node:crypto';
import * as z from 'zod';
import authText from '../../content/auth.mdx?raw';
import skillText from '../../content/skills/send-a-lead/SKILL.mdx?raw';
import { type Operation, operations } from '../api/operations.ts';
import { parseContentFile } from '../facts/content-file.ts';
import type { textFacts } from '../facts/facts.ts';
import { fillWords, languageName } from '../facts/language.ts';
import { markdownPath, paths, pathsIn } from '../facts/links.ts';
import { defaultLanguage, languages } from '../facts/load.ts';
import { AUTH, frontMatter, SKILL, skillSchema } from '../facts/page.ts';
import { leadFields, leadSchema } from '../lead/lead.ts';
import { consentWording, nextSteps } from '../lead/words.ts';
import { mdxToMarkdown } from './markdown.ts';
import { type JsonSchema, rulesOf } from './openapi-document.ts';
import type { Page, Source } from './source.ts';

/** Says in English what a clinic pays. */
export const pricesOf = (facts: Source['facts']): string =>
	`Pay as you go from ${facts['price.payAsYouGo']}, plans from ${facts['price.plans']}.${facts['price.setupFee'] && ` Set-up fee, once: ${facts['price.setupFee']}.`}`;

const textFactsOf = ({ service, facts, origin }: Source): Record<(typeof textFacts)[number], string> => ({
	operations: new Intl.ListFormat('en-GB').format(operations.map(({ methods, path }) => `\`${methods[0]} ${origin}${path}\``)),
	prices: pricesOf(facts),
	'list.fields': fieldList(),
	'consent.words': consentWording(defaultLanguage),
	'list.consent': languages
		.filter((tag) => tag !== defaultLanguage)
		.map((tag) => `- \`${tag}\`: “${consentWording(tag)}” \`${pathsIn(tag).privacy}\``)
		.join('\n'),
	next: fillWords(nextSteps(defaultLanguage).join(' '), { email: service.emails.sales }),
});

const publishedText = (text: string, file: string, source: Source): string =>
	mdxToMarkdown(text, file, { ...source, facts: { ...source.facts, ...textFactsOf(source) } });

/** `/auth.md` (github.com/workos/auth.md, v0.1.0). */
export const authMd = (source: Source): string => publishedText(authText, AUTH, source);

/** `SKILL.md` (agentskills.io): how an agent sends a lead. */
export const skill = (source: Source): string => publishedText(skillText, SKILL, source);

/** `/.well-known/agent-skills/index.json` (Agent Skills Discovery 0.2.0). The digest is of the published bytes. */
export function agentSkills(source: Source) {
	const text = skill(source);
	const { name, description } = parseContentFile(SKILL, frontMatter(text), skillSchema);
	const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
	return {
		$schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
		skills: [{ name, type: 'skill-md', description, url: source.links.skill, digest }],
	};
}

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

${pricesOf(facts)}

To send a lead for a person, read [SKILL.md](${links.skill}): what to ask, the words of consent, what to send. No credentials are needed.
If you cannot ask the person now, send nothing: hand them \`${links.contact}#name=…&clinic=…&email=…&message=…\`, percent-encoded: with JavaScript, that fills in the form.

There is no MCP server here; call the HTTP API.

${operations.map((operation) => callOf(operation, origin, facts)).join('\n\n')}

${Object.entries(sections)
	.filter(([, items]) => items.length > 0)
	.map(([heading, items]) => `## ${heading}\n\n${items.join('\n')}\n`)
	.join('\n')}`;
}

function callOf({ summary, description, methods, path, body }: Operation, origin: string, facts: Source['facts']): string {
	const call = `${summary}: \`${methods[0]} ${origin}${path}\``;
	if (body === undefined) return `${call}. ${description}`;
	const { required = [] } = z.toJSONSchema(body.schema, { io: 'input' });
	const names = new Intl.ListFormat('en-GB').format(required.map((name) => `\`${name}\``));
	return `${call} with a JSON object. It must have ${names}.${required.includes('consent') ? `\n\`consent\` is the literal \`on\`. ${facts['consent.rule']}` : ''}`;
}

const isGuide = ({ path }: Page) => path.startsWith(paths.docs);

const item = (name: string, url: string, note: string) => `- [${name}](${url}): ${note}`;

/** Lists every member of a lead in Markdown, with its rules and the first sentence about it. OpenAPI has the rest. */
function fieldList(): string {
	const { properties = {}, required = [] } = z.toJSONSchema(leadSchema, { io: 'input' });
	const items = leadFields.map(({ name, description }) => {
		const rules = [...(required.includes(name) ? ['required'] : []), ...rulesOf(properties[name] as JsonSchema)];
		return `- ${[`\`${name}\``, ...rules].join(', ')}: ${description.split(/(?<=\.) /)[0]}`;
	});
	return items.join('\n');
}
