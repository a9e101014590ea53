import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { languages, pathIn } from '../../src/facts/load.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const server = shared(() => startServer());

test.each(languages)('a page in %s is the same for readers of every language, and redirects nobody', async (own) => {
	const get = async (language: string) => {
		const headers = { 'accept-language': language };
		const answer = await fetchRaw(server().url + pathIn(own, paths.home), { method: 'GET', headers });
		const { date: _, ...others } = answer.headers;
		return { ...answer, headers: others };
	};
	const page = await get(own);
	expect([page.status, page.headers['cache-control']]).toEqual([200, 'public, max-age=0, must-revalidate']);
	expect(page.headers['vary']).not.toMatch(/language/i);
	for (const other of languages) expect(await get(other)).toEqual(page);
});
