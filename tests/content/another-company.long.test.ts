import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { keyFormOf, RANDOM, withChecksum } from '../../src/facts/facts.ts';
import { linksFrom, paths } from '../../src/facts/links.ts';
import { facts, languages, origin, service } from '../../src/facts/load.ts';
import { keyHash, keyId } from '../../src/api/authentication.ts';
import type { Service } from '../../src/facts/schema.ts';
import { ofIssuedKeys } from '../discovery/published.ts';
import { pages } from '../fixtures/site/pages.ts';
import { newApiKey } from '../support/api-key.ts';
import { htmlMistakes } from '../support/html.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { postForm, postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { startBuilt } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The facts of another company: those that we have with other values, those that we do not have, and no API keys. */
const yaml = readFileSync('tests/fixtures/site/service.yaml', 'utf8').replace('keys: issued', 'keys: none');
const said = parse(yaml) as Required<Service>;
const site = 'https://www.glockenwerk.example';
const siteLinks = linksFrom(site);
const keyForm = keyFormOf(said.identifier);

const drawing = readFileSync('content/logo.svg', 'utf8');
const palette = readFileSync('content/palette.yaml', 'utf8');
/** Returns the colours of a palette that no other project is likely to use. */
const coloursIn = (text: string) => text.match(/#(?!(..)\1\1)[\da-f]{6}/g) ?? [];
const otherPalette = palette.replace(/#(..)(..)(..)/g, '#$3$1$2');

const written = {
	'content/service.yaml': yaml,
	'content/palette.yaml': `\uFEFF${otherPalette}`,
	'content/logo.svg': `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg>\n<!-- Drawn by hand -->\n${pages['logo.svg']}`,
	'public/sounds/call.mp3': 'No sound.',
};

/** The built copy. A build takes half a minute of processor time: this one serves all tests that need another than `npm run test:build` makes. */
const copy = shared(async () => {
	const copy = await copyOfProject(languages);
	for (const [file, content] of Object.entries(written)) await copy.write(file, content);
	for (const file of ['auth.mdx', 'skills/send-a-lead/SKILL.mdx']) await copy.edit(`content/${file}`, /^/, '\uFEFF');
	await copy.edit('content/en/contact.yaml', 'from {email},', 'from {email} or {email},');
	await copy.addLanguage('nl');
	await copy.edit('content/nl/contact.yaml', /^title: .*/m, 'title: Schrijf ons');
	const { code, output } = await copy.build({ SITE_URL: site });
	expect(code, output).toBe(0);
	// What is older than its English, or has no record yet, does not stop a build.
	expect(output).toContain('content/translated.yaml: found nothing on new texts of nl');
	return copy;
});
const built = (file: string) => copy().built(file);
const dist = () => copy().at('var/test/dist');

test('nothing that is built has our facts, our colours or our drawing, and nothing for readers speaks of API keys', async () => {
	const { name: brand, company, identifier, emails } = service;
	const prices = [facts['price.payAsYouGo']!, facts['price.plans']!];
	const drawn = Array.from(drawing.matchAll(/ d="(.*?)"/g), ([, path]) => path!);
	const names = [brand, company, identifier, origin, ...Object.values(emails)];
	const ours = [...names, ...prices, ...coloursIn(palette), ...drawn].map((fact) => fact.toLowerCase());
	const entries = await readdir(dist(), { recursive: true, withFileTypes: true });
	for (const { name, parentPath } of entries.filter((entry) => entry.isFile() && !/\.(br|gz|bin)$/.test(entry.name))) {
		const text = `${name}\n${readFileSync(`${parentPath}/${name}`, 'utf8')}`;
		expect([name, ours.filter((fact) => text.toLowerCase().includes(fact))]).toEqual([name, []]);
		const words = /\.m?js$/.test(name) ? '' : text.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ');
		expect([name, ofIssuedKeys.exec(words)?.[0]]).toEqual([name, undefined]);
	}
});

const builtTexts: Record<string, string[]> = {
	'index.html': ['<audio controls preload="none" src="/sounds/call.mp3"', '<strong>Caller</strong> &lt;Hello&gt; &amp; good'],
	'contact/plans.html': ['<circle fill="var(--warm)"'],
	// Prices in its currency, with all their details, as the readers of each language write them.
	'index.md': ['JPY 61 per minute', 'JPY 14,500', '1,234', 'JPY 70 per minute', '12 months', 'JPY 9,000', '14 days'],
	'de.md': ['61 JPY', '14.500 JPY', '1.234', '70 JPY', '12 Monate', '9.000 JPY', '14 Tage'],
	'contact.html': ['>hallo@glockenwerk.example</a> or <a', '3 working days', 'href="/nl/contact"'],
	// In the reader's language or, where the facts have no words in it, in English.
	'trust.md': ['](https://hosting.example/privacy) · Servers · Ireland · without', 'WCAG 2.2 AA on November 1, 2026'],
	'trust.html': ['Calls for 30 days.', '(registered as <bdi>Glockenwerk Telefonie GmbH</bdi>)', 'mailto:zugang@'],
	'de/trust.html': ['>Hosting &lt;A&gt;</a> · <bdi>Server</bdi> · <bdi>Irland</bdi>', 'Alles in Irland.'],
	'de/trust.md': ['Each call begins with it.', '1. November 2026'],
	'de/privacy.md': ['Glockenwerk Telefonie GmbH', 'Musterstraße 1, 10115 Berlin', ' · Server · Irland', 'Alles in Irland.'],
	'contact/thanks.html': ['3 working days', 'A call of 20 minutes.', 'href="https://calendar.example/glockenwerk?with=$&amp;"'],
	'de/contact.html': ['href="/nl/contact"'],
	'nl/contact.html': ['<html lang="nl"', '>Schrijf ons<'],
	'favicon.svg': ['<circle fill="var(--warm)"', /warm: '(.*)'/.exec(otherPalette)![1]!],
	'.well-known/security.txt': [said.emails.security],
	'../machines/nachtglocke-web.service': ['StateDirectory=nachtglocke-web'],
	'llms.txt': ['JPY 61 per minute', 'JPY 9,000'],
	'openapi.json': ['JPY 14,500 per month', 'JPY 9,000'],
	// Without the request for a key, which tells it too.
	'auth.md': [facts['consent.rule']!],
	'.well-known/agent-skills/send-a-lead/SKILL.md': ['JPY 9,000'],
};
test.each(Object.entries(builtTexts))('%s has the facts, and nothing from before texts and logo', async (file, texts) => {
	const content = (await built(file)).replaceAll('\u00a0', ' ');
	for (const text of texts) expect(content).toContain(text);
	// Such as a byte order mark that an editor's program saved.
	expect(content).not.toMatch(/\uFEFF|<\?xml|<!DOCTYPE svg|Drawn by hand/);
	if (file.endsWith('.html')) expect(await htmlMistakes(await built(file))).toBe('');
});

test('its server confirms a message with what the company says of itself, and nothing of it speaks of a key or takes a request for one', async () => {
	await using smtp = await startSmtpServer();
	await using folder = await temporaryFolder();
	const store = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_AUTOREPLY: 'on' };
	await using server = await startBuilt(dist(), { ...smtp.settings, ...store });
	await postLead(server.url, { source: 'api-access' });
	await smtp.received(2);
	const { text } = smtp.mails.find(({ from }) => from === '')!.parsed;
	for (const fact of ['3 working days', said.bookingUrl, siteLinks.privacy]) expect(text).toContain(fact);
	expect(text!.split('\n\n').at(-1)).toBe(`${said.legalName}\n${said.address}\n${said.register}\n`);
	for (const { parsed } of smtp.mails) expect(parsed.text).not.toContain('issue');

	for (const path of [paths.accessRequest, `${paths.accessRequest}.md`])
		expect((await fetch(server.url + path)).status).toBe(404);
	const answer = await postForm(server.url, { source: 'api-access', name: 'Ana' });
	const [title] = /<h1[^]*<\/h1>/.exec(await built('contact.html'))!;
	expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(title)]);
});

test('where no keys are issued, the command issues none, and the server refuses a key of before, and knows the public test key', async () => {
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL: '' });
	const issue = ['issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example'];
	await using command = new TestProcess([`${dist()}/server/keys.mjs`, ...issue], { env: keeping.env });
	expect([await command.exit(), await keeping.store.keys.list()]).toEqual([1, []]);

	const key = withChecksum(keyForm.prefix + 'A'.repeat(RANDOM));
	const hash = keyHash(keeping.store.secret, key);
	await keeping.store.keys.insert({ ...newApiKey(), id: keyId(hash), hash });
	await using server = await startBuilt(dist(), keeping.env);
	const statusWith = async (sent: string) => (await postLead(server.url, {}, { authorization: `Bearer ${sent}` })).status;
	// 503, because delivery is not configured.
	expect([await statusWith(key), await statusWith(keyForm.publicTestKey)]).toEqual([401, 503]);
});
