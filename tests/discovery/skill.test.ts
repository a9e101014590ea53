import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { leadFields } from '../../src/lead/lead.ts';
import { linksFrom, paths } from '../../src/facts/links.ts';
import { copyIn, languages, links, origin } from '../../src/facts/load.ts';
import { startServer } from '../support/server.ts';
import { links as published, origin as publishedOrigin, textAt } from './published.ts';

test('the index names the skill as it names itself, with the digest of what is served (Agent Skills Discovery 0.2.0)', async () => {
	await using server = await startServer();
	const published = (url: string) => fetch(url.replace(origin, server.url));
	const served = await (await published(links.skill)).bytes();
	const [, top] = /^---\n([^]*?)\n---\n/.exec(new TextDecoder().decode(served))!;
	const { name, description } = parse(top!) as Record<'name' | 'description', string>;
	const digest = `sha256:${createHash('sha256').update(served).digest('hex')}`;
	expect(await (await published(`${origin}/.well-known/agent-skills/index.json`)).json()).toEqual({
		$schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
		skills: [{ name, description, type: 'skill-md', url: links.skill, digest }],
	});
	// agentskills.io/specification: the name is that of the folder, and both have their limits.
	expect(links.skill).toContain(`/${name}/SKILL.md`);
	expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
	expect(description.length).toBeLessThanOrEqual(1024);
});

const text = textAt(paths.skill);

test.each(leadFields)('the skill says what $name is and how long it may be', ({ name, maxLength, required }) => {
	expect(text).toMatch(new RegExp(`^- \`${name}\`${required ? ', required' : ''}.*${maxLength ?? ''}`, 'm'));
});

test.each(languages)('the skill has the words of consent in %s, with the notice in that language', (language) => {
	const { label } = copyIn(language).fields['consent']!;
	expect(text).toContain(`- \`${language}\`: “${label}” <${linksFrom(publishedOrigin, language).privacy}>\n`);
});

test('the example of the skill says that a program wrote it, and who cannot ask the person is led to the contact page before', () => {
	const { source, lang, message } = JSON.parse(/^\{.*\}$/m.exec(text)![0]) as Record<string, string>;
	expect([source, languages.includes(lang!)]).toEqual(['assistant', true]);
	expect(message).toMatch(/assistant for Ana Ruiz/);
	expect(text.split(`POST ${paths.submitLead} HTTP/1.1`)[0]).toContain(`<${published.contact}>`);
});
