import { createHash } from 'node:crypto';
import * as z from 'zod';
import authText from '../../content/auth.mdx?raw';
import skillText from '../../content/skills/send-a-lead/SKILL.mdx?raw';
import { operations } from '../api/operations.ts';
import { parseContentFile } from '../facts/content-file.ts';
import type { textFacts } from '../facts/facts.ts';
import { pathsIn } from '../facts/links.ts';
import { fillWords } from '../facts/language.ts';
import { defaultLanguage, languages } from '../facts/load.ts';
import { AUTH, frontMatter, SKILL, skillSchema } from '../facts/page.ts';
import { leadFields, leadSchema } from '../lead/lead.ts';
import { consentWording, nextSteps } from '../lead/words.ts';
import { mdxToMarkdown } from './markdown.ts';
import { type JsonSchema, rulesOf } from './openapi-document.ts';
import type { Source } from './source.ts';

const textFactsOf = ({ service, origin }: Source): Record<(typeof textFacts)[number], string> => ({
	operations: new Intl.ListFormat('en-GB').format(operations.map(({ methods, path }) => `\`${methods[0]} ${origin}${path}\``)),
	'list.fields': fieldList(),
	'consent.words': consentWording(defaultLanguage),
	'list.consent': languages
		.filter((tag) => tag !== defaultLanguage)
		.map((tag) => `- \`${tag}\`: “${consentWording(tag)}” \`${pathsIn(tag).privacy}\``)
		.join('\n'),
	next: fillWords(nextSteps(defaultLanguage).join(' '), { email: service.emails.sales }),
});

/** @throws {ContentError} as {@link mdxToMarkdown} */
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

/** Lists every member of a lead in Markdown, with its rules and the first sentence about it. OpenAPI has the rest. */
function fieldList(): string {
	const { properties = {}, required = [] } = z.toJSONSchema(leadSchema, { io: 'input' });
	const items = leadFields.map(({ name, description }) => {
		const rules = [...(required.includes(name) ? ['required'] : []), ...rulesOf(properties[name] as JsonSchema)];
		return `- ${[`\`${name}\``, ...rules].join(', ')}: ${description.split(/(?<=\.) /)[0]}`;
	});
	return items.join('\n');
}
