import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { copyIn, facts } from '../../src/facts/load.ts';
import { leadSchema } from '../../src/lead/lead.ts';
import { textAt } from './published.ts';

/** The leads that the prose sends as JSON, each with its file. */
const samples = globSync('content/**/*.{md,mdx}').flatMap((file) =>
	(readFileSync(file, 'utf8').match(/^```[^]*?^```$\n+.*/gm) ?? [])
		.filter((block) => block.includes('submitLead') && !/^```(javascript|python|php)/.test(block))
		.map((block) => ({ file, block, lead: JSON.parse(/\{\s*"[^{}]*\}/.exec(block)![0]) as unknown })),
);

test('there is a sample of a lead in the documentation, in auth.md and in the skill, and of a request for API access in auth.md', () => {
	expect(samples.map(({ file }) => file).toSorted()).toEqual([
		'content/auth.mdx',
		'content/auth.mdx',
		'content/docs/send-a-lead.mdx',
		'content/skills/send-a-lead/SKILL.mdx',
	]);
});

test.each(samples)('the sample in $file is a valid lead, with the test key or called real', (sample) => {
	expect(leadSchema.parse(sample.lead)).toEqual(sample.lead);
	expect(sample.block).toMatch(/Bearer \{\{key\.test\}\}[^]*```|```\n+As it stands, this sends a real /);
});

test.each([paths.llmsTxt, paths.authMd, paths.skill, paths.openapi])('%s says who may agree in the shared words', (path) => {
	const text = textAt(path).replace(copyIn('en').fields['consent']!.label!, '');
	const [before, ...after] = text.split(facts['consent.rule']!);
	expect(after.length).toBeGreaterThan(0);
	expect([before, ...after].join('')).not.toMatch(/reading the|(has|have) read|in their place|consent\.rule/);
});
