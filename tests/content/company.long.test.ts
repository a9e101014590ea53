import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../support/chromium.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { htmlMistakes } from '../support/html.ts';
import { startBuilt } from '../support/server.ts';
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
	setup: { forwarding: 'missed', by: 'us', workingDays: 2 },
	emergencies: { number: '112', transfers: true },
	callData: {
		countries: ['DE', 'EU'],
		retentionDays: 14,
		agreements: ['DPA', 'BAA'],
		processors: ['Sprachwerk AG, Switzerland'],
	},
	systems: ['Terminfix', 'Praxo'],
	spokenLanguages: ['de', 'tr'],
	proof: {
		quotes: [{ text: 'Das Telefon ist <still>.', language: 'de', name: 'Dr. Ada Kern', clinic: 'Praxis am See' }],
		figures: [{ value: '98 %', meaning: { en: 'of calls answered', de: 'der Anrufe' }, date: '2026-10-31', source: 'Own count' }],
	},
	people: [{ name: 'Ida Brandt', role: { en: 'Founder' }, profile: 'https://network.example/ida' }],
	bookingUrl: 'https://calendar.example/glockenwerk?with=$&',
	prices: {
		currency: 'EUR',
		payAsYouGo: { from: 0.4, per: 'minute' },
		plans: { from: 120, per: 'month', includedMinutes: 500, overage: 0.25, termMonths: 12 },
		setupFee: 90,
		trialDays: 14,
	},
};
/** The facts that may be left out: all but the prices. */
const optional = Object.keys(said).filter((name) => name !== 'prices');
const unsaid = Object.fromEntries(optional.map((name) => [name, undefined]));
/** Bytes that compression cannot shrink. */
const sound = crypto.getRandomValues(new Uint8Array(1000));

const pages = ['index.html', 'contact.html', 'contact/thanks.html'];

async function builtWith(facts: Record<string, unknown>) {
	const copy = await copyOfProject(['en', 'de']);
	await copy.setFacts(facts);
	await copy.write('public/sounds/call.mp3', sound);
	await copy.buildWhole();
	return copy;
}

/** Returns the text of the mail that confirms a message. */
async function confirmationFrom(copy: ProjectCopy) {
	await using smtp = await startSmtpServer();
	await using server = await startBuilt(copy.at('var/test/dist'), { ...smtp.settings, LEAD_EMAIL_CONFIRM: 'on' });
	await postLead(server.url);
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
		expect(await copy.built('index.html')).toMatch(/<li>Hear it answer: <a href="tel:\+493023125001" dir="ltr">/);
		const [words] = /<main[^]*<\/main>/.exec(await copy.built('contact.html'))!;
		expect(words).toContain('href="tel:+493023125000"');
		expect(words).toContain('Musterstraße 1, 10115 Berlin');
	});

	test('has a call to listen to, which can be read as well', async () => {
		const html = await copy.built('index.html');
		expect(html).toContain('<audio controls preload="none" src="/sounds/call.mp3" aria-label="Hear a call">');
		expect(html).toContain(
			'<p dir="auto">Receptionist: Good afternoon.</p><p dir="auto">Caller: &lt;Hello&gt; &amp; good afternoon.</p>',
		);
		expect(await copy.built('index.md')).toContain('Receptionist: Good afternoon.');
	});

	test('plays the call by a button beside the action, and stops it when it closes; its words are as wide as the player', async () => {
		await using server = await startBuilt(copy.at('var/test/dist'));
		await using browser = await chromium.launch({ executablePath: await chromiumPath(), chromiumSandbox: false });
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
		// The file holds no sound that could play.
		await page.addInitScript(`for (const act of ['play', 'pause'])
			HTMLMediaElement.prototype[act] = async function () { this.title = act };`);
		await page.goto(server.url);
		const player = page.locator('audio');
		const state = () => player.getAttribute('title');
		const button = page.getByRole('button', { name: 'Hear a call' });
		const [action, listen] = [await page.locator('.hero .action').first().boundingBox(), await button.boundingBox()];
		expect(listen!.y).toBeCloseTo(action!.y, 0);
		await button.click();
		await expect.poll(state).toBe('play');
		const [whole, words] = [await player.boundingBox(), await page.getByText('Receptionist: Good').boundingBox()];
		expect([words!.x, words!.width]).toEqual([whole!.x, whole!.width]);
		await page.keyboard.press('Escape');
		await expect.poll(state).toBe('pause');
		expect(await player.isVisible()).toBe(false);
	});

	test('sets each text of a card as a paragraph', async () => {
		for (const page of ['index.html', 'de.html']) expect(/<\/h3>\s*([^<\s].*)/.exec(await copy.built(page))?.[1]).toBeUndefined();
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

	test.each([
		['how a clinic starts', 'You forward the calls that nobody answers.', 'Sie leiten die Anrufe weiter, die niemand annimmt.'],
		['who sets it up', 'We do that.', 'Das machen wir.'],
		['when it answers', 'after 2 working days.', 'Nach 2 Arbeitstagen nimmt'],
		['what it does in an emergency', 'must dial 112. It also puts the call through', '112. Außerdem stellt sie den Anruf'],
		['where calls are stored', 'Germany and European Union. We keep them for 14 days.', 'Deutschland und Europäische Union.'],
		['what it signs', 'We sign with you: DPA and BAA.', 'Wir schließen mit Ihnen ab: DPA und BAA.'],
		['who processes calls', 'Sprachwerk AG, Switzerland', 'Sprachwerk AG, Switzerland'],
		['what it works with', 'It works with Terminfix and Praxo.', 'Sie arbeitet mit Terminfix und Praxo.'],
		['what it speaks', 'It speaks German and Turkish.', 'Sie spricht Deutsch und Türkisch.'],
		['what clinics say', '> Das Telefon ist <still>.', '> Das Telefon ist <still>.'],
		['what was counted', '**98 %** of calls answered', '**98 %** der Anrufe'],
		['when it was counted', 'Own count, October 31, 2026', 'Own count, 31. Oktober 2026'],
		['who is behind it', '[Ida Brandt](https://network.example/ida)', 'Founder'],
		[
			'what a plan includes',
			'It includes 500 minutes, then EUR 0.25 per minute.',
			'500 Minuten sind enthalten, danach 0,25 € pro Minute.',
		],
		['how long a plan binds', 'Minimum term: 12 months.', 'Mindestlaufzeit: 12 Monate.'],
		['what it costs to start', 'Set-up fee: EUR 90, once.', 'Einrichtung: 90 €, einmalig.'],
		['what is free', 'Free trial: 14 days.', 'Kostenlos testen: 14 Tage.'],
		['what 10 calls a day would cost', '| 10 | from EUR 360 | from EUR 220 |', '| 10 | ab 360 € | ab 220 € |'],
		['what the estimate leaves out', 'They leave out taxes and the set-up fee.', 'ohne Steuern und ohne Einrichtung.'],
	])('is on the start page, in words of its language: %s', async (_, english, german) => {
		const plain = async (page: string) =>
			(await copy.built(page)).replaceAll(/\\|\u00a0/g, (found) => (found === '\u00a0' ? ' ' : '')).replaceAll(/ +/g, ' ');
		expect(await plain('index.md')).toContain(english);
		expect(await plain('de.md')).toContain(german);
	});

	test('has a link to book a time on the thanks page', async () => {
		expect(await copy.built('contact/thanks.html')).toContain('href="https://calendar.example/glockenwerk?with=$&amp;"');
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
		await using server = await startBuilt(copy.at('var/test/dist'));
		const get = (headers: Record<string, string>) => fetchRaw(`${server.url}/sounds/call.mp3`, { method: 'GET', headers });
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
		expect([
			page,
			/tel:|<audio|imprint|working day|undefined|Hear it answer|How you start|in danger|with our calls|booking systems|languages does|From clinics|Who is behind|Book a time|Free trial|Set-up/.exec(
				html,
			)?.[0],
		]).toEqual([page, undefined]);
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
