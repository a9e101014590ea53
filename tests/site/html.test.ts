import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { htmlMistakes } from '../support/html.ts';
import { startServer } from '../support/server.ts';

const client = 'var/test/dist/client';

test.each(globSync('**/*.html', { cwd: client }))('%s is valid HTML', async (file) => {
	expect(await htmlMistakes(readFileSync(`${client}/${file}`, 'utf8'))).toBe('');
});

test('every link between our pages leads to a file', () => {
	const html = globSync('**/*.html', { cwd: client }).map((file) => readFileSync(`${client}/${file}`, 'utf8'));
	const targets = new Set(html.flatMap((page) => [...page.matchAll(/<a [^>]*href="\/([^"#?]*)/g)].map(([, path]) => path!)));
	const isFile = (path: string) => ['', '.html'].some((ending) => existsSync(`${client}/${path || 'index'}${ending}`));
	expect([...targets].filter((path) => !isFile(path) && `/${path}` !== paths.getStatus)).toEqual([]);
});

test('the form that was not sent is valid HTML', async () => {
	await using server = await startServer();
	const body = new URLSearchParams({ name: '<b>Ana', email: 'no' });
	const response = await fetch(`${server.url}/api/contact`, { method: 'POST', body });

	expect(response.status).toBe(422);
	expect(await htmlMistakes(await response.text())).toBe('');
});

test.each(globSync('**/*.html', { cwd: client }))('%s shows no placeholder, and no template in text browsers', (file) => {
	expect(readFileSync(`${client}/${file}`, 'utf8')).not.toMatch(/<template|\{\{/);
});

test.each(globSync('**/*.html', { cwd: client }))('%s has no empty element in the place of a fact that is not given', (file) => {
	const html = readFileSync(`${client}/${file}`, 'utf8');
	expect(html.match(/<(p|li|ul|ol|h2|details|figure)>\s*<\/\1>/g)).toBeNull();
});
