import sax from 'sax';
import { expect, test } from 'vitest';
import { paths } from '../../src/facts/links.ts';
import { links, origin, issued, textAt } from './published.ts';

const page = { path: '/docs/changes/first', title: 'First', description: 'A <b> & more.', language: 'en', date: '2026-11-02' };
const pages = [...issued.pages, page, { ...page, path: '/docs/changes/second', title: 'Second', date: '2026-12-01' }];
const asHtml = 'A &lt;b> &amp; more.';
const elements = elementsIn(textAt(paths.changesFeed, { ...issued, pages }));

test('the feed has every dated page, the newest first, and no other', () => {
	const entries = [`${origin}/docs/changes/second`, `${origin}/docs/changes/first`];
	expect(elements.filter(({ name }) => name === 'id').map(({ text }) => text)).toEqual([links.changes, ...entries]);
	const days = elements.filter(({ name }) => name === 'updated').map(({ text }) => text.slice(0, 10));
	expect(days).toEqual(['2026-12-01', '2026-12-01', '2026-11-02']);
	expect(elements.filter(({ name }) => name === 'summary').map(({ text }) => text)).toEqual([asHtml, asHtml]);
});

test('llms.txt leaves dated pages to the feed', () => {
	expect(textAt(paths.llmsTxt, { ...issued, pages })).not.toContain(page.path);
});

test('the feed names its own address and its author, as RFC 4287 asks for', () => {
	expect(elements.find(({ attributes }) => attributes['rel'] === 'self')?.attributes['href']).toBe(links.changesFeed);
	expect(elements.find(({ name }) => name === 'name')?.text).toBe(issued.service.company);
});

/** Returns the elements of an XML document in their order, each with the text before the next. Throws if it is not well-formed. */
function elementsIn(xml: string) {
	const found = [{ name: '', attributes: {} as Record<string, unknown>, text: '' }];
	const addText = (text: string) => (found.at(-1)!.text += text.trim());
	const parser = Object.assign(sax.parser(true), {
		onerror: (error: Error) => {
			throw error;
		},
		onopentag: ({ name, attributes }: sax.Tag | sax.QualifiedTag) => found.push({ name, attributes, text: '' }),
		ontext: addText,
		oncdata: addText,
	});
	parser.write(xml).close();
	return found;
}
