import { describe, expect, test } from 'vitest';
import type { Copy } from '../../src/facts/words.ts';
import { paths } from '../../src/facts/links.ts';
import { copyIn, defaultLanguage, languages, origin as site, pathIn } from '../../src/facts/load.ts';
import { startStoring } from '../support/lead-places.ts';
import { form, lead, newLead, postBody, postForm } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

const other = (language: string) => languages.find((tag) => tag !== language) ?? language;
/** A variant of the language, in other letters than ours. */
const variantOf = (language: string) => `${language}-x-HOME`.toUpperCase();
const invalid = { ...lead, name: '' };
const tooLong = { ...lead, message: 'x'.repeat(70_000) };

const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

async function expectPage(response: Response, status: number, language: string, notice: keyof Copy['notices']) {
	const page = await response.text();
	expect([response.status, response.headers.get('content-language')]).toEqual([status, language]);
	expect(/<html lang="([^"]+)"/.exec(page)?.[1]).toBe(language);
	// The form holds the titles of all notices, for its script.
	expect(page).toContain(`<h2>${inHtml(copyIn(language).notices[notice].title)}</h2>`);
	expect(page.includes('class="action send-again"')).toBe(notice === 'unavailable');
	return page;
}

describe('to a lead, the server', () => {
	const delivering = shared(() => startStoring({ LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' }));
	const url = () => delivering().server.url;
	const undelivering = shared(() => startServer({ LEAD_RATE_LIMIT: 'off', LEAD_STORE: 'none' }));
	const limiting = shared(() => startStoring({ LEAD_RATE_LIMIT: '1/1d', LEAD_STORE: 'none' }));

	// From left to right, and from right to left.
	describe.each([defaultLanguage, 'ar'])('in %s', (language) => {
		const elsewhere = { 'accept-language': other(language) };
		const ofReader = { 'accept-language': `x-nothing, ${variantOf(language)};q=0.8, ${other(language)};q=0.5` };

		test.each<[string, object, Record<string, string>]>([
			['its own tag', { lang: ` ${language}\n` }, elsewhere],
			['what the client likes to read', {}, ofReader],
		])('words errors by %s, and says so', async (_case, fields, headers) => {
			const response = await postBody(url(), { ...invalid, ...fields }, headers);
			const { title, detail, errors } = copyIn(language).invalidLead;
			const wanted = errors.required.replace('{member}', 'name');
			expect(await response.json()).toMatchObject({ title, detail, errors: [{ detail: wanted }] });
			expect([response.headers.get('content-language'), response.headers.get('vary')]).toEqual([language, 'Accept-Language']);
		});

		test('names the letter that an address cannot have, to a program and to a visitor', async () => {
			const sent = { ...lead, lang: language };
			const { errors, invalidLead } = copyIn(language);
			const toProgram = await postBody(url(), { ...sent, email: 'jose\u0301@clínica.example' });
			const ofProgram = { detail: invalidLead.errors.character!.replace('{character}', 'é') };
			expect(await toProgram.json()).toMatchObject({ errors: [ofProgram] });
			const toVisitor = await postForm(url(), { ...sent, email: 'ana@clinic_a.example' }, { accept: 'application/json' });
			expect(await toVisitor.json()).toMatchObject({ errors: [{ detail: errors.character!.replace('{character}', '_') }] });
		});

		test('leads a browser from the address of the form to the page that has it, and no program', async () => {
			const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
			for (const [query, read] of Object.entries({ [`?lang=${language}`]: other(language), '': variantOf(language) })) {
				const headers = { ...html, 'accept-language': read };
				const answer = await fetch(`${url()}/api/contact${query}`, { headers, redirect: 'manual' });
				expect([answer.status, answer.headers.get('location')]).toEqual([303, pathIn(language, paths.contact)]);
			}
			await expectProblem(await fetch(`${url()}/api/contact?lang=${language}`), 405, 'method-not-allowed');
			await expectProblem(await fetch(`${url()}/api/status`, { method: 'POST', headers: html }), 405, 'method-not-allowed');
		});

		test('that a form sent, keeps the language through 422, 429, 503 and 303', async () => {
			const sent = { ...newLead(), lang: language };
			const page = await expectPage(await postForm(url(), { ...sent, name: '' }, elsewhere), 422, language, 'invalid');
			// Sent again from that answer, it may be too large to be read.
			const action = url() + /<form[^>]* action="([^"]+)"/.exec(page)![1]!;
			await expectPage(await fetch(action, form(tooLong, elsewhere)), 413, language, 'unread');
			await expectPage(await postForm(undelivering().url, sent, elsewhere), 503, language, 'unavailable');
			await postBody(limiting().server.url, lead);
			const limited = await postForm(limiting().server.url, sent, elsewhere);
			expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(24 * 3600 - 60);
			expect(await expectPage(limited, 429, language, 'turnedAway')).not.toContain(sent.email);
			const taken = await postForm(url(), sent, elsewhere);
			expect([taken.status, taken.headers.get('location')]).toEqual([303, pathIn(language, paths.thanks)]);
		});

		test.each<[string, Record<string, string>]>([
			['keeps the language of the page it was sent from', { ...elsewhere, referer: site + pathIn(language, paths.contact) }],
			['and names no page, is answered as the reader likes', ofReader],
			['and was sent from an answer, is answered as the reader likes', { ...ofReader, referer: site + paths.submitLead }],
		])('that could not be read, %s', async (_, headers) => {
			await expectPage(await postForm(url(), tooLong, headers), 413, language, 'unread');
		});

		test('that a form sent in another encoding than ours says where to find what was typed', async () => {
			const headers = { 'content-type': 'application/x-www-form-urlencoded', ...ofReader };
			const body = Buffer.from(`name=%93Jos%e9%94+Ru\xedz&lang=${language}`, 'latin1');
			const send = (accept: string) => fetch(url() + paths.submitLead, { method: 'POST', body, headers: { ...headers, accept } });
			await expectPage(await send('text/html'), 400, language, 'unread');
			await expectProblem(await send('application/json'), 400, 'malformed-request');
		});
	});

	test('that nobody says a language of, answers in ours', async () => {
		const response = await postBody(url(), invalid, { 'accept-language': 'x-nothing, *;q=0.1' });
		expect(response.headers.get('content-language')).toBe(defaultLanguage);
		const page = await postForm(url(), tooLong, { referer: site });
		await expectPage(page, 413, defaultLanguage, 'unread');
	});
});
