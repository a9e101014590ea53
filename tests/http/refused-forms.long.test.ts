import { describe, expect, test } from 'vitest';
import { METRICS, scrape, valueOf } from '../support/metrics.ts';
import { formOf, lead, type LeadValues } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';

/** The number of measured requests. */
const REQUESTS = 300;

const limited = shared(() => startServer({ ...METRICS, LEAD_RATE_LIMIT: '1/10m' }));
const unlimited = shared(() => startServer({ ...METRICS, LEAD_RATE_LIMIT: 'off' }));

const post = (url: string, body: BodyInit, type?: string, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/contact`, { method: 'POST', body, headers: { ...(type && { 'content-type': type }), ...headers } });
const postForm = (url: string, values: LeadValues) => post(url, formOf(values));

/** In seconds of processor time: what many answers cost the server. */
async function costOf({
	server,
	ask,
	status,
}: {
	server: ReturnType<typeof limited>;
	ask: (request: number) => Promise<Response>;
	status: number;
}) {
	const used = async () => valueOf('process_cpu_seconds_total', await scrape(server))!;
	for (let warm = 0; warm < 50; warm += 1) await (await ask(warm)).arrayBuffer();
	const before = await used();
	for (let request = 0; request < REQUESTS; request += 1) {
		const answer = await ask(request);
		expect(answer.status).toBe(status);
		await answer.arrayBuffer();
	}
	return (await used()) - before;
}

describe('a refused form costs little more than refused JSON', () => {
	const form = 'application/x-www-form-urlencoded';
	test.each([
		[400, unlimited, 'name=a&name=b', {}],
		[415, unlimited, 'name=a', { 'content-encoding': 'br' }],
		[429, limited, formOf({ ...lead }).toString(), {}],
	] as const)('%i', async (status, running, body, headers) => {
		const server = running();
		const json = await costOf({
			server,
			status,
			ask: () => post(server.url, status === 429 ? '{}' : '{', 'application/json', headers),
		});
		const page = await costOf({ server, status, ask: () => post(server.url, body, form, headers) });
		expect(page / json).toBeLessThan(2.5);
	});
});

test('nor does it cost more where each has something else in it that a page may depend on', async () => {
	const { url } = limited();
	const fields = ['name', 'clinic', 'email', 'phone', 'country', 'message', 'lang', 'consent'];
	const typed = (request: number) => fields.map((name, bit) => [name, request & (1 << bit) ? 'api-access' : 'on']);
	await postForm(url, lead);
	const one = await costOf({ server: limited(), status: 429, ask: () => postForm(url, lead) });
	const many = await costOf({
		server: limited(),
		status: 429,
		ask: (request) => postForm(url, Object.fromEntries(typed(request))),
	});
	expect(many / one).toBeLessThan(2);
});

test('a form over the limit comes back with what was typed, each its own, escaped', async () => {
	const typed = { ...lead, name: '<b>"Ana" & \'Eva\'</b> $& \uE000email\uE001', message: '</textarea><script>\nx' };
	await postForm(limited().url, lead);
	for (const values of [
		{ ...typed, phone: '1' },
		{ ...typed, phone: '2', email: 'b@example.com', consent: '' },
	]) {
		const answer = await postForm(limited().url, values);
		const page = await answer.text();
		expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
		expect(page).toContain(`value="&lt;b&gt;&quot;Ana&quot; &amp; &#39;Eva&#39;&lt;/b&gt; $&amp; \uE000email\uE001"`);
		expect(page).toContain('>&lt;/textarea&gt;&lt;script&gt;\nx</textarea>');
		expect(page).toContain(`value="${values.phone}"`);
		expect(page).toContain(`value="${values.email}"`);
		expect(/name="consent"[^>]* checked/.test(page)).toBe(values.consent === 'on');
		expect(page).toContain('mailto:');
	}
});
