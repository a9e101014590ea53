import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { leadFields } from '../../src/lead/lead.ts';
import { linksFrom, paths } from '../../src/facts/links.ts';
import { copyIn, languages, links, origin } from '../../src/facts/load.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { links as published, origin as publishedOrigin, textAt } from './published.ts';

const server = shared(() => startServer());

const fetchPublished = (url: string) => fetch(url.replace(origin, server().url));

interface Index {
	$schema: string;
	skills: { name: string; type: string; description: string; url: string; digest: string }[];
}

test('the index names the skill as it names itself, with the digest of what is served (Agent Skills Discovery 0.2.0)', async () => {
	const index = (await (await fetchPublished(`${origin}/.well-known/agent-skills/index.json`)).json()) as Index;
	const served = new Uint8Array(await (await fetchPublished(links.skill)).arrayBuffer());
	const [, top] = /^---\n([^]*?)\n---\n/.exec(new TextDecoder().decode(served))!;
	expect(index).toEqual({
		$schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
		skills: [
			{
				...(parse(top!) as object),
				type: 'skill-md',
				url: links.skill,
				digest: `sha256:${createHash('sha256').update(served).digest('hex')}`,
			},
		],
	});
	// agentskills.io/specification: the name is that of the folder, and both have their limits.
	const [{ name, description }] = index.skills as [Index['skills'][number]];
	expect(links.skill).toContain(`/${name}/SKILL.md`);
	expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
	expect(description.length).toBeLessThanOrEqual(1024);
});

const text = textAt(paths.skill);

test.each(leadFields)('the skill says what $name is and how long it may be', ({ name, maxLength, required }) => {
	expect(text).toMatch(new RegExp(`^- \`${name}\`${required ? ', required' : ''}.*${maxLength ?? ''}`, 'm'));
});

test.each(languages)(
	'the skill has the words of consent in %s, as the form has them, with the notice in that language',
	(language) => {
		const { label } = copyIn(language).fields['consent']!;
		expect(text).toContain(`- \`${language}\`: “${label}” <${linksFrom(publishedOrigin, language).privacy}>\n`);
	},
);

test('the example of the skill says that a program wrote it, and in which language the person agreed', () => {
	const { source, lang, message } = JSON.parse(/^\{.*\}$/m.exec(text)![0]) as Record<string, string>;
	expect([source, languages.includes(lang!), message]).toEqual([
		'assistant',
		true,
		expect.stringMatching(/assistant for Ana Ruiz/),
	]);
});

test('who cannot ask the person hands over the contact page before the request is described', () => {
	const [before] = text.split(`POST ${paths.submitLead} HTTP/1.1`);
	expect(before).toContain(`<${published.contact}>`);
});
