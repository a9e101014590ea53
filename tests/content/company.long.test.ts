import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchRaw } from '../support/fetch-raw.ts';
import { htmlMistakes } from '../support/html.ts';
import { TestProcess } from '../support/process.ts';
import { postLead } from '../support/post-lead.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { startSmtpServer } from '../support/smtp-server.ts';

/** The optional facts about a company. */
const said = {
	legalName: 'Glockenwerk Telefonie GmbH',
	address: 'Musterstraße 1, 10115 Berlin',
	register: 'Amtsgericht Berlin, HRB 00000',
	phones: { office: '+49 30 23125 000', demo: '+49 30 (23125) 001' },
	recording: {
		file: '/sounds/call.mp3',
		transcript: 'Receptionist: Good afternoon.\nCaller: <Hello> & good afternoon.\n',
	},
	profiles: { 'Example Network': 'https://network.example/glockenwerk' },
	answerWorkingDays: 3,
	bookingUrl: 'https://calendar.example/glockenwerk?with=$&',
};
const unsaid = Object.fromEntries(Object.keys(said).map((name) => [name, undefined]));
/** Bytes that compression cannot shrink. */
const sound = crypto.getRandomValues(new Uint8Array(1000));

const pages = ['index.html', 'contact.html', 'contact/thanks.html'];

async function builtWith(facts: Record<string, unknown>) {
	const copy = await copyOfProject();
	await copy.setFacts(facts);
	await copy.write('public/sounds/call.mp3', sound);
	await copy.buildWhole();
	return copy;
}

const startBuilt = (copy: ProjectCopy, env = {}) =>
	new TestProcess([copy.at('var/test/dist/server/entry.mjs')], { env: { PORT: '0', LEAD_STORE: 'none', ...env } });

/** Returns the text of the mail that confirms a message. */
async function confirmationFrom(copy: ProjectCopy) {
	await using smtp = await startSmtpServer();
	await using server = startBuilt(copy, { ...smtp.settings, LEAD_EMAIL_CONFIRM: 'on' });
	const [, url] = await server.printed(/"url":"(.*?)"/);
	await postLead(url!);
	await smtp.received(2);
	return smtp.mails.find(({ from }) => from === '')?.parsed.text;
}

type ProjectCopy = Awaited<ReturnType<typeof copyOfProject>>;

describe('what a company says of itself', () => {
	let copy: ProjectCopy;
	beforeAll(async () => {
		copy = await builtWith(said);
	});
	afterAll(() => copy[Symbol.asyncDispose]());

	test('stands under every page', async () => {
		for (const page of [...pages, 'docs.html', 'privacy.html']) {
			const [footer] = /<footer[^]*<\/footer>/.exec(await copy.built(page))!;
			for (const text of [
				'Glockenwerk Telefonie GmbH',
				'Musterstraße 1, 10115 Berlin',
				'Amtsgericht Berlin, HRB 00000',
				'<a href="tel:+493023125000" dir="ltr">+49\u00a030\u00a023125\u00a0000</a>',
				'<a href="https://network.example/glockenwerk">Example Network</a>',
			])
				expect(footer).toContain(text);
		}
	});

	test('has numbers to call: on the start page the receptionist’s, beside the form the office’s', async () => {
		expect(await copy.built('index.html')).toMatch(/Call\s*<a href="tel:\+493023125001" dir="ltr">/);
		const [words] = /<main[^]*<\/main>/.exec(await copy.built('contact.html'))!;
		expect(words).toContain('href="tel:+493023125000"');
		expect(words).toContain('Musterstraße 1, 10115 Berlin');
	});

	test('has a call to listen to, which can be read as well', async () => {
		const html = await copy.built('index.html');
		expect(html).toMatch(/<audio controls preload="none" src="\/sounds\/call\.mp3"><\/audio>/);
		expect(html).toContain('<p>Receptionist: Good afternoon.</p><p>Caller: &lt;Hello&gt; &amp; good afternoon.</p>');
		expect(await copy.built('index.md')).toContain('Receptionist: Good afternoon.');
	});

	test('says how fast an answer comes, before a message is sent and after', async () => {
		for (const page of ['contact.html', 'contact/thanks.html', 'contact.md'])
			expect(await copy.built(page)).toContain('You have it within 3 working days.');
	});

	test('stands in the mail that confirms a message', async () => {
		expect(await confirmationFrom(copy)).toMatch(
			/You have it within 3 working days\.\n\n[^\n]*: https:\/\/calendar\.example\/glockenwerk\?with=\$&\n\nYou are getting [^]*\n\nGlockenwerk Telefonie GmbH\nMusterstraße 1, 10115 Berlin\nAmtsgericht Berlin, HRB 00000\n$/,
		);
	});

	test('is there for search engines', async () => {
		const html = await copy.built('index.html');
		const { '@graph': graph } = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as {
			'@graph': unknown[];
		};
		expect(graph[0]).toMatchObject({
			'@type': 'Organization',
			legalName: 'Glockenwerk Telefonie GmbH',
			address: 'Musterstraße 1, 10115 Berlin',
			telephone: '+49 30 23125 000',
			sameAs: ['https://network.example/glockenwerk'],
		});
	});

	test('is valid HTML', async () => {
		for (const page of pages) expect(await htmlMistakes(await copy.built(page))).toBe('');
	});

	test.each([
		['bytes=0-1', 206, 'bytes 0-1/1000', 0, 2],
		['bytes=0-', 206, 'bytes 0-999/1000', 0, 1000],
		['bytes=990-2000', 206, 'bytes 990-999/1000', 990, 1000],
		['bytes=-10', 206, 'bytes 990-999/1000', 990, 1000],
		['bytes=1000-', 416, 'bytes */1000', 0, 0],
		['bytes=5-2', 200, undefined, 0, 1000],
		['bytes=-', 200, undefined, 0, 1000],
		['bytes=0-1,5-6', 200, undefined, 0, 1000],
		['lines=0-1', 200, undefined, 0, 1000],
	])('is sent in parts, as players ask for sound: %s', async (range, status, contentRange, from, to) => {
		await using server = startBuilt(copy);
		const [, url] = await server.printed(/"url":"(.*?)"/);
		const get = (headers: Record<string, string>) => fetchRaw(`${url}/sounds/call.mp3`, { method: 'GET', headers });
		const answer = await get({ range });
		expect([answer.status, answer.headers['content-range'], answer.headers['content-type']]).toEqual([
			status,
			contentRange,
			'audio/mpeg',
		]);
		expect(answer.body.equals(sound.subarray(from, to))).toBe(true);
		expect((await get({ range, 'if-range': '"another"' })).status).toBe(200);
		expect((await get({ range, 'if-range': answer.headers['etag']! })).status).toBe(status);
	});
});

test('of what a company does not say nothing shows, and nothing is empty', async () => {
	await using copy = await builtWith(unsaid);
	for (const page of pages) {
		const html = await copy.built(page);
		expect([page, /tel:|<audio|imprint|working day|undefined|Hear a call|Call\s*<a/.exec(html)?.[0]]).toEqual([page, undefined]);
		expect([page, /<(p|li|ul|ol|h2|details|figure)>\s*<\/\1>/.exec(html)?.[0]]).toEqual([page, undefined]);
		expect(await htmlMistakes(html)).toBe('');
	}
	expect(await confirmationFrom(copy)).toMatch(/ by email\.\n\nYou are getting (?:.+\n\n){3}Anteroom\n$/);
});

test('a build stops at a recording that is not there', async () => {
	await using copy = await copyOfProject();
	await copy.write('public/sounds/call.mp3', sound);
	await copy.setFacts({ recording: { file: '/call.mp3', transcript: 'x' } });
	const { code, output } = await copy.build();
	expect(code).toBe(1);
	expect(output).toMatch(
		/content\/service\.yaml:\d+ recording\.file: found "\/call\.mp3", wanted a file of public\/, .*\/sounds\/call\.mp3\./,
	);
});
