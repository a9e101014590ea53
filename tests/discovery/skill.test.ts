import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { API_ACCESS, paths, pathsIn } from '../../src/facts/links.ts';
import { copyIn, facts, languages, links } from '../../src/facts/load.ts';
import { leadFields, leadSchema } from '../../src/lead/lead.ts';
import { documents } from '../../src/discovery/documents.ts';
import { textAt } from './published.ts';

const built = (path: string) => readFileSync(`var/test/dist/client${path}`);
const text = textAt(paths.skill);

test('the index names the skill as it names itself, with the digest of what is served (Agent Skills Discovery 0.2.0)', () => {
	const served = built(paths.skill);
	const { name, description } = parse(String(served).split('---\n')[1]!) as Record<'name' | 'description', string>;
	const digest = `sha256:${createHash('sha256').update(served).digest('hex')}`;
	expect(JSON.parse(String(built('/.well-known/agent-skills/index.json')))).toEqual({
		$schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
		skills: [{ name, description, type: 'skill-md', url: links.skill, digest }],
	});
	// agentskills.io/specification: the name is that of the folder, and both have their limits.
	expect(links.skill).toContain(`/${name}/SKILL.md`);
	expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
	expect(description.length).toBeLessThanOrEqual(1024);
});

test('the skill has each field with its limit, and the words of consent in each language, with the notice in that', () => {
	for (const { name, maxLength, required } of leadFields)
		expect(text).toMatch(new RegExp(`^- \`${name}\`${required ? ', required' : ''}.*${maxLength ?? ''}`, 'm'));
	for (const language of languages) {
		const { label } = copyIn(language).fields['consent']!;
		expect(text).toMatch(new RegExp(`“${RegExp.escape(label!)}” .*${RegExp.escape(pathsIn(language).privacy)}[>\`]\n`));
	}
});

test('the skill says once what `lang` is, which addresses can be answered, and how to try an error', () => {
	expect(text.match(/`lang`/g)).toHaveLength(1);
	expect(text).toMatch(/^- `email`.* a dot in its domain/m);
	expect(text).toContain('`Test-Answer: 503`');
});

test('the skill is short, and a reader of its first 4 KiB has all answers', () => {
	// Fields, languages, names and words are as long as they are: without those, 2.4 kB are the first 4 KiB.
	const own = Buffer.from(readFileSync('content/skills/send-a-lead/SKILL.mdx', 'utf8').replaceAll(/<(Fact|Link) [^>]*>/g, ''));
	expect(own.length).toBeLessThanOrEqual(2650);
	expect(String(own.subarray(0, 2400))).toMatch(/^- `200 [^]*^- 422 [^]*^- 408, [^]*^- Anything else: .*\n/m);
});

test('every example of a link that fills in the form has the email, and beside it stands what the link needs', () => {
	const linked = documents.map(({ path }) => textAt(path)).filter((document) => document.includes('#name='));
	expect(linked.length).toBeGreaterThan(1);
	for (const document of linked) {
		for (const [link] of document.matchAll(/#name=[^`\s]*/g)) expect(link).toMatch(/&email=/);
		expect(document).toContain('JavaScript');
	}
});

test.each([
	[paths.skill, 'assistant'],
	[paths.authMd, API_ACCESS],
])('the first example of %s says that a program wrote it, with the source %s, a language and a key', (path, wanted) => {
	const [example] = /^POST [^]*?```$/m.exec(textAt(path))!;
	const { source, lang, message } = JSON.parse(/^\{[^]*\}$/m.exec(example)![0]) as Record<string, string>;
	expect([source, languages.includes(lang!)]).toEqual([wanted, true]);
	expect(message).toMatch(/assistant for Ana Ruiz/);
	expect(example).toMatch(/^Idempotency-Key: \S+$/m);
});

/** The leads that the prose sends as JSON, each with its file. */
const samples = globSync('content/**/*.mdx').flatMap((file) =>
	(readFileSync(file, 'utf8').match(/^```[^]*?^```$\n+.*/gm) ?? [])
		.filter((block) => block.includes('submitLead') && !/^```(typescript|javascript|python|php)/.test(block))
		.map((block) => ({ file, block, lead: JSON.parse(/\{\s*"[^{}]*\}/.exec(block)![0]) as unknown })),
);

test('each document that explains how to send a lead has a sample', () => {
	const named = ['auth.mdx', 'auth.mdx', 'docs/authentication.mdx', 'docs/send-a-lead.mdx', 'skills/send-a-lead/SKILL.mdx'];
	expect(samples.map(({ file }) => file).toSorted()).toEqual(named.map((file) => `content/${file}`));
});

test.each(samples)(
	'the sample in $file is a valid lead, with the test key, a key of one’s own, or called real',
	({ lead, block }) => {
		expect(leadSchema.parse(lead)).toEqual(lead);
		expect(block).toMatch(/Bearer (\{\{key\.test\}\}|\$\{\{key\.variable\}\})[^]*```|```\n+.*\bthis sends a real /i);
	},
);

test.each([paths.llmsTxt, paths.authMd, paths.skill, paths.openapi])('%s says who may agree in the shared words', (path) => {
	const told = textAt(path).replace(copyIn('en').fields['consent']!.label!, '');
	const [before, ...after] = told.split(facts['consent.rule']!);
	expect(after.length).toBeGreaterThan(0);
	expect([before, ...after].join('')).not.toMatch(/reading the|(has|have) read|in their place|consent\.rule/);
});
