import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkLinks } from '../../src/adapter/links.ts';
import { paths } from '../../src/facts/links.ts';
import { origin, service } from '../../src/facts/load.ts';
import { attempt } from '../../src/facts/mistake.ts';
import type { Service } from '../../src/facts/schema.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { SMALL_SITE, smallClient } from '../support/small-site.ts';

const manifest = JSON.parse(readFileSync(`${SMALL_SITE}/dist/server/files.json`, 'utf8')) as Manifest;
const built = (file: string) => readFileSync(`${smallClient}/${file}`, 'utf8');

interface Changes {
	published?: Manifest;
	/** The facts that decide which pages exist. */
	asked?: Pick<Service, 'keys' | 'trust'>;
	texts?: Record<string, string>;
}

/** Checks the links of the built site after some changes. */
const linkMistakes = ({ published = manifest, asked = service, texts = {} }: Changes) =>
	attempt(() =>
		checkLinks(published, { root: SMALL_SITE, origin, service: asked, read: (file) => texts[file] ?? built(file) }),
	).mistakes.map((message) => message.replace(/, wanted an address .*/, ''));

test('a path that code or prose names, and at which nothing is published, stops the build', () => {
	const published = Object.fromEntries(Object.entries(manifest).filter(([at]) => at === paths.openapi));
	const missing = (asked: Changes['asked']) => linkMistakes({ published, asked, texts: { 'openapi.json': '{"paths":{}}' } });
	const all = Object.entries(paths).filter(([, at]) => at !== paths.openapi);
	expect(missing({ keys: 'issued', trust: {} })).toEqual(all.map(([name, at]) => `src/facts/links.ts: found ${name}: '${at}'`));
	expect(missing({ keys: 'none' })).toHaveLength(all.length - 2);
});

test('a link that leads nowhere stops the build, and the message says where content has it', () => {
	const texts = {
		'auth.md': `<${origin}/nowhere?a=b>, [x](${origin}/nowhere/else), [y](${origin}/docs#z), ${origin}/docs#a=b, ${origin}.`,
		'sitemap.xml': `<loc>${origin}/team</loc><loc>${origin}/docs</loc><loc>https://elsewhere.example/no</loc>`,
		'docs.html': '<a href="/docs/errors#invalid-laed"><img src="/no.png" alt=""> &lt;a href="/no"',
		'docs/errors.html': '<a id="invalid-lead" href="#invalid-lead">',
		'contact.html': '<a class="x" href="/docs/send-a-lead?a=1&amp;b=2"> <a href="mailto:x@y.example">',
	};
	const published = Object.fromEntries(Object.entries(manifest).filter(([at]) => at !== '/docs/send-a-lead'));
	const told = linkMistakes({ published, texts }).filter((message) => !message.startsWith('src/'));
	expect(told.slice(0, 7)).toEqual([
		'/auth.md: found the link /nowhere?a=b',
		'/auth.md: found the link /nowhere/else',
		'/auth.md: found the link /docs#z, wanted a place on /docs, which has none: z is missing.',
		'/contact.html: found the link /docs/send-a-lead?a=1&b=2, wanted one that exists: did you mean /docs/send-a-lead.md?',
		'/docs.html: found the link /docs/errors#invalid-laed, wanted a place on /docs/errors, one that exists: did you mean invalid-lead?',
		'/docs.html: found the link /no.png',
		expect.stringMatching(/^content\/docs\/index\.mdx:7: found the link \/docs\/send-a-lead, wanted /),
	]);
	expect(told).toContain('/sitemap.xml: found the link /team');
	// What a file of public/ says is not ours.
	expect(told.join()).not.toContain('old.txt');
});
