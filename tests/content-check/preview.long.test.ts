import { readFile, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recordTranslations } from '../../src/content-check/rules/translations.ts';
import { copyIn, service } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

test('npm run dev shows a page, an image, a change of a fact, a mistake until it is corrected, and beside a page what is to be translated', async () => {
	await using copy = await copyOfProject();
	for (const language of ['de', 'es', 'fr', 'nl']) await copy.addLanguage(language);
	recordTranslations(copy.at(''), ['de', 'es', 'fr']);
	await copy.edit('content/de/contact.yaml', /^submit: .*/m, 'submit:');
	for (const file of ['fr/contact.yaml', 'es/site.yaml', 'nl/home.mdx', 'nl/privacy.mdx']) await rm(copy.at(`content/${file}`));
	await copy.edit('content/en/not-found.mdx', /$/, '\nSorry.\n');
	await copy.write('content/docs/desk.png', await readFile('.github/screenshot.png'));
	await copy.edit('content/docs/index.mdx', /$/, '\n![A desk](./desk.png)\n');
	await using server = copy.preview();
	const [, url] = await server.printed(/(http:\/\/localhost:\d+)/);
	const pageAt = async (path: string) => (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
	const title = async () => /<title>(.*?)<\/title>/.exec(await pageAt('/contact'))?.[1];
	expect(await title()).toContain(service.name);
	const home = /<title>.*?<\/title>/.exec(await pageAt('/'))![0];
	const { submit } = copyIn('en');
	for (const [path, english] of Object.entries({ '/de/contact': submit, '/fr/contact': submit, '/nl': home })) {
		const page = await pageAt(path);
		expect(page).toContain(english);
		const told = page.match(/(?<=<li><a [^>]*>content\/).*?(?= <strong>wanted)/g);
		expect(told?.map((one) => one.replaceAll(/\d+/g, 'N'))).toEqual([
			'de/contact.yaml:N submit</a> found nothing',
			...['es/site.yaml', 'fr/contact.yaml', 'nl/home.mdx', 'nl/privacy.mdx'].map((file) => `${file}</a> found nothing`),
			...['de', 'es', 'fr'].map((language) => `${language}/not-found.mdx</a> found the translation of an older text`),
			'translated.yaml</a> found nothing on new texts of nl (N)',
		]);
	}
	const image = /<img src="(.*?)"/.exec(await pageAt('/docs'))![1]!.replaceAll('&amp;', '&');
	expect((await fetch(url + image)).headers.get('content-type')).toBe('image/webp');
	expect(JSON.parse(await pageAt('/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
	await copy.setFacts({ name: 'Nightingale' });
	await expect.poll(title).toContain('Nightingale');
	await copy.setFacts({ identifier: 'Loud' });
	await expect.poll(title).toBe('To be corrected: 1');
	await copy.setFacts({ identifier: service.identifier });
	await expect.poll(title).toContain('Nightingale');
});
