import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { formOf, json, leadOf } from '../support/post-lead.ts';
import { exchange } from '../support/raw-connection.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Nearly every value that is sent or set has this name. */
const lead = leadOf({
	name: 'Zenobia Quxley',
	clinic: 'Clínica Zenobia',
	email: 'zenobia@zenobia.example',
	phone: '+49 171 5550123',
	country: 'Zenobia',
	message: 'Zenobia is not answered <b>at noon</b>.\nZenobia calls back.',
	source: '/campaign/zenobia',
});
const hostile = {
	...lead,
	name: 'Mallory\u0000\r\nBcc: zenobia@example.org',
	email: 'mallory@evil.example\r\nBcc: zenobia@example.org',
	message: '"}\n{"level":"error","msg":"zenobia"}',
};

test('no line of the log holds what a visitor sent or what is secret', async () => {
	await using refusing = await startWebhookReceiver({ status: 500, body: 'Zenobia Quxley was refused' });
	await using taking = await startWebhookReceiver();
	await using smtp = await startSmtpServer({ login: { user: 'zenobia', pass: 'another password' } });
	await using server = await startServer({
		LOG_LEVEL: 'debug',
		LEAD_RATE_LIMIT: '12/10m',
		TRUST_PROXY: '1',
		LEAD_WEBHOOK_URL: `${refusing.url} ${taking.url} http://localhost:1/services/zenobia`,
		LEAD_WEBHOOK_SECRET: `whsec_${Buffer.from('webhook-secret-of-zenobia').toString('base64')}`,
		SMTP_URL: smtp.url.replace('//', '//zenobia:zenobias-password@'),
		LEAD_EMAIL_TO: 'sales@zenobia.example',
		LEAD_EMAIL_FROM: 'website@zenobia.example',
		LEAD_EMAIL_ROUTES: 'country=ES:zenobia@routes.example',
		LEAD_AUTOREPLY: 'on',
		LEAD_RETRY: '1s',
	});
	await session(server);
	await taking.received(2);
	const [first] = refusing.requests.map(({ headers }) => headers['webhook-id']);
	await expect.poll(() => refusing.requests.filter(({ headers }) => headers['webhook-id'] === first)).toHaveLength(2);
	expect(await server.process.stop()).toBe(0);

	const lines = server.process.output.trim().split('\n');
	expect(lines.map((line) => typeof (JSON.parse(line) as { msg?: unknown }).msg)).toEqual(lines.map(() => 'string'));
	expect(server.process.output).not.toMatch(/zenobia|5550123|203\.0\.113|2001:db8:77|secret-part|whsec_/i);
	const answered = server.process.log.filter(({ msg }) => msg === 'Answered.');
	expect(answered.length).toBeGreaterThan(15);
	const request = expect.stringMatching(/^[\da-f-]{36}$/) as string;
	const [method, status, duration] = [expect.any(String), expect.anything(), expect.any(Number)] as unknown[];
	for (const line of answered) expect(line).toMatchObject({ level: 'info', request, method, status, duration });
	expect(answered).toContainEqual(expect.objectContaining({ route: '/api/contact', status: 200 }));
});

/** Sends every kind of request, with a secret in each. */
async function session({ url }: TestServer): Promise<void> {
	const own = { authorization: 'Basic zenobia', cookie: 'token=zenobia', 'user-agent': 'Zenobia/1.0' };
	const always = { 'x-forwarded-for': '203.0.113.77', ...own };
	const post = (body: object | string, headers = {}) => fetch(`${url}/api/contact`, json(body, { ...always, ...headers }));
	const form = { 'content-type': 'application/x-www-form-urlencoded' };
	await post(lead);
	await post(lead, { authorization: 'Bearer zenobia' });
	for (const name of ['zenobia', 'zenobia', 'zenobia with a space'])
		await post({ ...lead, message: `Zenobia ${randomUUID()}` }, { 'idempotency-key': name });
	await post(hostile);
	await post({ ...lead, email: 'zenobia@zenobia' });
	await post({ ...lead, website: 'https://zenobia.example' });
	await post(String(formOf(lead)), form);
	await post(String(formOf({ ...lead, email: '' })), form);
	await post(String(formOf(hostile)), { ...form, origin: 'https://zenobia.example' });
	await post(JSON.stringify(lead).slice(0, -9));
	await post({ ...lead, message: 'Zenobia'.repeat(10_000) });
	await post(lead, { 'content-type': 'text/x-zenobia' });
	await post('\xFF');
	for (let count = 0; count < 12; count += 1) await post({}, { 'x-forwarded-for': '2001:db8:77::1' });
	for (const path of ['/zenobia?email=zenobia@zenobia.example', '/contact?zenobia', '/api/zenobia'])
		await fetch(url + path, { headers: { referer: 'https://evil.example/Zenobia' } });
	await exchange(url, 'POST /zenobia HTTP/9.9\r\nHost: zenobia.example\r\n\r\nZenobia');
	await exchange(url, 'GET /zenobia HTTP/1.1\r\nHost: Zenobia Quxley\r\nConnection: close\r\n\r\n');
}
