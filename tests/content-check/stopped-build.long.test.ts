import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { copyOfProject } from '../support/project-copy.ts';
import { copyOfAnotherBrand } from './another-brand.ts';

test('a build stops at links to places that the components or the headings of another page do not make', async () => {
	await using copy = await copyOfProject();
	await copy.edit('content/docs/agents.mdx', '(/docs/send-a-lead)', '(/docs/errors#invalid-laed)');
	await copy.edit('content/en/home.mdx', '## Prices\n', '<When given="proof">\n\n## Prices\n\n</When>\n');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(
		/content\/docs\/agents\.mdx:\d+: found the link \/docs\/errors#invalid-laed, wanted one that exists: did you mean invalid-lead\?/,
	);
	expect(output).toMatch(/content\/en\/site\.yaml:\d+: found prices: Prices, wanted one/);
	expect(output).toMatch(/content\/en\/home\.mdx:\d+: found the link #prices, wanted one/);
});

test('a mistake in the facts is told together with the others, such as the files that are not there', async () => {
	await using copy = await copyOfProject();
	const missing = ['palette.css', 'logo.svg', 'docs.yaml', 'auth.md'];
	for (const file of missing) await rm(copy.at(`content/${file}`));
	await copy.edit('content/service.yaml', /sales: .*/, 'sales: sales.website.example');
	await copy.edit('content/docs/agents.mdx', '(/docs/send-a-lead)', '(/docs/send-a-laed)');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(/content\/service\.yaml:\d+ emails\.sales: found "sales\.website\.example", wanted an email address/);
	expect(output).toContain('found the link /docs/send-a-laed, wanted one that exists: did you mean /docs/send-a-lead?');
	for (const file of missing)
		expect(output).toContain(`content/${file}: found nothing, wanted the file of this name: the site needs it.`);
	expect(output).not.toContain('the fact ');
	expect(output).not.toContain('Stack trace');
});

test('a build stops where palette and logo end too early', async () => {
	await using copy = await copyOfAnotherBrand();
	await copy.edit('content/palette.css', /\}\s*$/, '\n');
	await copy.edit('content/logo.svg', '</svg>', '');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(/content\/palette\.css:\d+: found the end, wanted \} before it, for each \{\./);
	expect(output).toMatch(/content\/logo\.svg:\d+: found a syntax error, wanted well-formed XML\. Unclosed root tag\./);
});

test('a build stops at a palette that has no colours for dark', async () => {
	await using copy = await copyOfAnotherBrand();
	await copy.edit('content/palette.css', '(prefers-color-scheme: dark)', 'print');
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toContain('content/palette.css:1: found :root, @media print :root, wanted :root { … } for light, and then ');
});
