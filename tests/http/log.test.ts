import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { formOf, leadOf } from '../support/post-lead.ts';
import { exchange } from '../support/raw-connection.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const told = {
	name: 'Zenobia Quxley',
	clinic: 'Clínica Wurzelgrün',
	email: 'zenobia@wurzelgruen.example',
	phone: '+49 171 5550123',
	country: 'Atlantis',
	message: 'Our number is not answered <b>at noon</b>.\nCall back, please.',
	source: '/campaign/hidden-token',
};
const lead = leadOf(told);
const hostile = {
	...lead,
	name: 'Mallory\u0000\r\nBcc: victim@example.org',
	email: 'mallory@evil.example\r\nBcc: victim@example.org',
	message: '"}\n{"level":"error","msg":"forged"}',
};
const key = 'idempotency-key-5f0c4f0e';
const address = '203.0.113.77';
const words =
	'Zenobia Wurzelgr wurzelgruen 5550123 hidden-token Mallory victim evil.example forged honeypot.example bearer-of-secrets ' +
	'2001:db8:77 webhook-secret T000 secret-part smtp-user smtp-password sales@team.example website@own.example ' +
	'query-of-somebody path-of-somebody';
const secrets = [...Object.values(told).flatMap((value) => [value, ...value.split(/\n/)]), ...words.split(' '), key, address];

test('no line of the log holds what a visitor sent or what is secret', async () => {
	await using refusing = await startWebhookReceiver({ status: 500, body: 'Zenobia Quxley was refused' });
	await using taking = await startWebhookReceiver();
	await using smtp = await startSmtpServer({ login: { user: 'smtp-user', pass: 'another password' } });
	await using server = await startServer({
		LOG_LEVEL: 'debug',
		LEAD_RATE_LIMIT: '12/10m',
		TRUST_PROXY: '1',
		LEAD_WEBHOOK_URL: `${refusing.url} ${taking.url} http://localhost:1/services/T000/webhook-secret`,
		LEAD_WEBHOOK_SECRET: `whsec_${Buffer.from('webhook-secret-of-the-operator').toString('base64')}`,
		SMTP_URL: smtp.url.replace('//', '//smtp-user:smtp-password@'),
		LEAD_EMAIL_TO: 'sales@team.example',
		LEAD_EMAIL_FROM: 'website@own.example',
		LEAD_RETRY: '1s',
	});
	await session(server);
	await taking.received(2);
	const [first] = refusing.requests.map(({ headers }) => headers['webhook-id']);
	await expect.poll(() => refusing.requests.filter(({ headers }) => headers['webhook-id'] === first)).toHaveLength(2);
	server.process.signal('SIGTERM');
	expect(await server.process.exit()).toBe(0);

	const lines = server.process.output.trim().split('\n');
	expect(lines.map((line) => typeof (JSON.parse(line) as { msg?: unknown }).msg)).toEqual(lines.map(() => 'string'));
	expect(secrets.filter((secret) => writings(secret).some((written) => server.process.output.includes(written)))).toEqual([]);
	const answered = server.process.log.filter(({ msg }) => msg === 'Answered.');
	expect(answered.length).toBeGreaterThan(15);
	const request = expect.stringMatching(/^[\da-f-]{36}$/) as string;
	const [method, status, duration] = [expect.any(String), expect.anything(), expect.any(Number)] as unknown[];
	for (const line of answered) expect(line).toMatchObject({ level: 'info', request, method, status, duration });
	expect(answered).toContainEqual(expect.objectContaining({ route: '/api/contact', status: 200 }));
});

/** Sends every kind of request, with a secret in each. */
async function session({ url }: TestServer): Promise<void> {
	const always = {
		'content-type': 'application/json',
		'x-forwarded-for': address,
		authorization: 'Basic bearer-of-secrets',
		cookie: 'token=bearer-of-secrets',
		'user-agent': 'Zenobia/1.0',
	};
	const post = (body: string, headers: Record<string, string> = {}) =>
		fetch(`${url}/api/contact`, { method: 'POST', redirect: 'manual', body, headers: { ...always, ...headers } });
	const form = { 'content-type': 'application/x-www-form-urlencoded' };
	await post(JSON.stringify(lead));
	await post(JSON.stringify(lead), { authorization: 'Bearer bearer-of-secrets' });
	await post(JSON.stringify({ ...lead, message: randomUUID() }), { 'idempotency-key': key });
	await post(JSON.stringify({ ...lead, message: randomUUID() }), { 'idempotency-key': key });
	await post(JSON.stringify(lead), { 'idempotency-key': `${key} with a space` });
	await post(JSON.stringify(hostile));
	await post(JSON.stringify({ ...lead, email: 'zenobia@wurzelgruen' }));
	await post(JSON.stringify({ ...lead, website: 'https://honeypot.example' }));
	await post(formOf(lead).toString(), form);
	await post(formOf({ ...lead, email: '' }).toString(), form);
	await post(formOf(hostile).toString(), { ...form, origin: 'https://evil.example' });
	await post(JSON.stringify(lead).slice(0, -9));
	await post(JSON.stringify({ ...lead, message: 'Zenobia'.repeat(10_000) }));
	await post(JSON.stringify(lead), { 'content-type': 'text/x-zenobia' });
	await post('\xFF');
	for (let count = 0; count < 12; count += 1) await post('{}', { 'x-forwarded-for': '2001:db8:77::1' });
	for (const path of [
		'/path-of-somebody?email=zenobia@wurzelgruen.example',
		'/contact?query-of-somebody',
		'/api/path-of-somebody',
	])
		await fetch(url + path, { headers: { referer: 'https://evil.example/Zenobia' } });
	await exchange(url, 'POST /path-of-somebody HTTP/9.9\r\nHost: evil.example\r\n\r\nZenobia');
	await exchange(url, 'GET /path-of-somebody HTTP/1.1\r\nHost: Zenobia Quxley\r\nConnection: close\r\n\r\n');
}

/** Returns a value as it is, and as it might be in JSON, a URL, a form or base64. */
const writings = (value: string) => [
	value,
	JSON.stringify(value).slice(1, -1),
	encodeURIComponent(value),
	new URLSearchParams({ '': value }).toString().slice(1),
	Buffer.from(value)
		.toString('base64')
		.replace(/.{0,3}=*$/, ''),
	Buffer.from(value).toString('hex'),
];
