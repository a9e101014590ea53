import { expect, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { copyOfProject } from '../support/project-copy.ts';

test('npm run dev shows a page, a change of a fact, and a mistake until it is corrected', async () => {
	await using copy = await copyOfProject();
	await using server = copy.preview();
	const [, url] = await server.printed(/(http:\/\/localhost:\d+)/);
	const title = async () => {
		const page = await fetch(`${url}/contact`, { headers: { accept: 'text/html' } });
		return /<title>(.*?)<\/title>/.exec(await page.text())?.[1];
	};
	expect(await title()).toContain(service.name);
	await copy.setFacts({ name: 'Nightingale' });
	await expect.poll(title).toContain('Nightingale');
	await copy.setFacts({ identifier: 'Loud' });
	await expect.poll(title).toBe('To be corrected: 1');
	await copy.setFacts({ identifier: service.identifier });
	await expect.poll(title).toContain('Nightingale');
});
