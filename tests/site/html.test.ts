import { globSync, readFileSync } from 'node:fs';
import { FileSystemConfigLoader, formatterFactory, HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { startServer } from '../support/server.ts';

const client = 'var/test/dist/client';
const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ['html-validate:recommended'] }));

test.each(globSync('**/*.html', { cwd: client }))('%s is valid HTML', async (file) => {
	expect(await mistakes(readFileSync(`${client}/${file}`, 'utf8'))).toBe('');
});

test('the form that was not sent is valid HTML', async () => {
	await using server = await startServer();
	const body = new URLSearchParams({ name: '<b>Ana', email: 'no' });
	const response = await fetch(`${server.url}/api/contact`, { method: 'POST', body });

	expect(response.status).toBe(422);
	expect(await mistakes(await response.text())).toBe('');
});

test.each(globSync('**/*.html', { cwd: client }))('%s names no fact by its placeholder', (file) => {
	expect(readFileSync(`${client}/${file}`, 'utf8')).not.toContain('{{');
});

/** What is wrong, a line for each. */
async function mistakes(html: string): Promise<string> {
	const { results } = await validator.validateString(html);
	return formatterFactory('text')(results);
}
