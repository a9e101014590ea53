import { describe, expect, test } from 'vitest';
import { API_ACCESS, paths } from '../../src/facts/links.ts';
import { copyIn, links, service } from '../../src/facts/load.ts';
import { type LeadValues, postBody, postForm } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { shortId } from '../../src/channels/message.ts';

const { title, template, introduction } = copyIn('en').accessRequest;

const server = shared(() => startServer({ LEAD_RATE_LIMIT: 'off' }));

const textAt = async (path: string) => (await fetch(server().url + path)).text();

/** Returns whether each part of the page for a request is there. */
const isRequest = (html: string) =>
	[`>${title}</h1>`, introduction, 'name="source" value="api-access"'].map((part) => html.includes(part));

describe.skipIf(service.keys === 'none')('the page for a request for API access', () => {
	test('is not the contact page, is linked from it, and is that page to search engines', async () => {
		const contact = await textAt(`/contact?for=${API_ACCESS}`);
		expect(isRequest(contact)).toEqual([false, false, false]);
		expect(contact).toContain(`href="${paths.accessRequest}"`);
		expect(await textAt(paths.accessRequest)).toContain(`<link rel="canonical" href="${links.contact}">`);
		for (const path of [paths.sitemap, paths.llmsTxt]) expect(await textAt(path)).not.toContain(API_ACCESS);
	});
});

describe.skipIf(service.keys === 'none')('the form without JavaScript stays a request for API access', () => {
	const post = (values: LeadValues, referer: string) => postForm(server().url, values, { accept: 'text/html', referer });
	const large = { source: API_ACCESS, message: 'x'.repeat(70_000) };
	test('when it is wrong, and when it is too large to be read, with the lines to complete', async () => {
		const wrong = await post({ source: API_ACCESS }, '');
		expect([wrong.status, ...isRequest(await wrong.text())]).toEqual([422, true, true, true]);
		const response = await post(large, `${server().url}${paths.accessRequest}`);
		const html = await response.text();
		expect([response.status, ...isRequest(html)]).toEqual([413, true, true, true]);
		expect(html).toContain(`>${template}</textarea>`);
	});

	test.each(['/contact', 'nonsense:', ''])(
		'and one of another page that is too large does not become one: %j',
		async (referer) => {
			const response = await post(large, referer);
			expect([response.status, ...isRequest(await response.text())]).toEqual([413, false, false, false]);
		},
	);
});

describe.skipIf(service.keys === 'none')('the request that auth.md shows', () => {
	/** Returns the code blocks of the section Register: the lines to complete, then the request. */
	async function blocks(): Promise<string[]> {
		const [, section] = /^## Register\n([^]*?)\n## /m.exec(await textAt(paths.authMd))!;
		return [...section!.matchAll(/^```\w+\n([^]*?)\n```$/gm)].map(([, block]) => block!);
	}
	const sample = async () => JSON.parse(/\{[^]*\}/.exec((await blocks())[1]!)![0]) as Record<string, string>;

	test('completes the lines that the form has as well', async () => {
		expect((await blocks())[0]).toBe(template);
		const { message, source } = await sample();
		expect(source).toBe(API_ACCESS);
		expect(message!.match(/^.*?:(?= .)/gm)).toEqual(template.match(/^.*?:/gm));
	});

	test.each([
		['with a store, and how to issue the key', {}, (id: string) => `npm run keys -- issue --for ${shortId(id)}`],
		['without a store, and that there are no keys', { LEAD_STORE: 'none' }, () => 'LEAD_STORE is none'],
	])('is taken %s stands in the mail, whose subject says what it is', async (_, store, advice) => {
		await using smtp = await startSmtpServer();
		await using delivering = await startServer({ ...smtp.settings, ...store });
		const response = await postBody(delivering.url, await sample());
		expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
		await smtp.received(1);
		const { subject, text, html, headers } = smtp.mails[0]!.parsed;
		const id = headers.find(({ key }) => key === 'x-lead-id')!.value;
		expect(subject).toBe(`${service.name}: Ana Ruiz, Clínica Sol asks for API access`);
		expect(text).toContain(`To issue a key: ${advice(id)}`);
		expect(html).toContain('To issue a key');
		expect(text).toContain('Scopes: contact:write');
	});
});
