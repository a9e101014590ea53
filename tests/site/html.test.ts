import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRightToLeft } from '../../src/facts/language.ts';
import { languageAt } from '../../src/facts/load.ts';
import { htmlMistakes } from '../support/html.ts';
import { startServer } from '../support/server.ts';

const client = 'var/test/dist/client';
const pages = globSync('**/*.html', { cwd: client });

test.each(pages)('%s is valid HTML, without placeholder, template or anything empty', async (file) => {
	const html = readFileSync(`${client}/${file}`, 'utf8');
	expect(await htmlMistakes(html)).toBe('');
	expect(html).not.toMatch(/<template|\{\{|<(p|li|ul|ol|h2|details|figure)>\s*<\/\1>/);
});

const texts = globSync('{**,.well-known/**}/*.{html,json,md,txt,xml}', { cwd: client });

test('nothing invisible is published, but the marks of amounts in text from right to left', () => {
	const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|&(shy|zwn?j|lrm|rlm);/gu;
	const found = texts.flatMap((file) => {
		const text = readFileSync(`${client}/${file}`, 'utf8');
		const shown = isRightToLeft(languageAt(`/${file}`)) ? text.replaceAll(/\u200f(?=\d)|(?<=\$)\u200e/g, '') : text;
		return [...shown.matchAll(invisible)].map(([mark]) => `${file}: ${encodeURI(mark)}`);
	});
	expect(texts.length).toBeGreaterThan(50);
	expect(found).toEqual([]);
});

test('the form that was not sent is valid HTML', async () => {
	await using server = await startServer();
	const body = new URLSearchParams({ name: '<b>Ana', email: 'no' });
	const response = await fetch(`${server.url}/api/contact`, { method: 'POST', body });

	expect(response.status).toBe(422);
	expect(await htmlMistakes(await response.text())).toBe('');
});
