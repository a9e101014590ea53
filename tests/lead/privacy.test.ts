import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runLeads } from '../support/leads-command.ts';
import { lead, postBody, postLead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const hit = { ...lead, website: 'https://clinicasol.example' };

/** A server with its store in a folder, and the operator beside it. */
async function startStoring(settings: Record<string, string> = {}) {
	const folder = await temporaryFolder();
	const receiver = await startWebhookReceiver();
	const env = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url, ...settings };
	const server = await startServer(env);
	return {
		receiver,
		server,
		leads: async (...args: string[]) => (await runLeads(args, env)).stdout,
		/** Every byte that the store has on the disk, SQLite's log of changes included. */
		async bytes() {
			const names = await readdir(folder.path);
			return (await Promise.all(names.map((name) => readFile(path.join(folder.path, name), 'latin1')))).join('');
		},
		async [Symbol.asyncDispose]() {
			for (const resource of [server, receiver, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}

test('no address of a client is stored or logged, of a lead or of a hit', async () => {
	await using storing = await startStoring({ TRUST_PROXY: '1' });
	for (const body of [lead, hit, {}]) await postBody(storing.server.url, body, { 'x-forwarded-for': '203.0.113.77' });
	await storing.server.process.printed(/Delivered/);
	expect(await storing.bytes()).toContain('ana@clinicasol.example');
	expect((await storing.bytes()) + storing.server.process.output).not.toContain('203.0.113');
});

test('consent is kept as evidence: text version, time, language, page', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, { ...lead, lang: 'es', source: '/es/contact' });
	expect(JSON.parse(await storing.leads('export'))).toMatchObject({
		noticeVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		consent: 'on',
		lang: 'es',
		source: '/es/contact',
	});
});

test('with LEAD_RETENTION=0 a lead is gone from the disk once it is delivered, and still known when it comes again', async () => {
	await using storing = await startStoring({ LEAD_RETENTION: '0' });
	await postLead(storing.server.url);
	await storing.server.process.printed(/Leads were deleted/);
	expect(await storing.leads('list')).toContain('0 leads');
	expect((await postLead(storing.server.url)).status).toBe(200);
	await postBody(storing.server.url, { ...lead, name: 'Bob' });
	await storing.receiver.received(2);
	expect(storing.receiver.requests.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
		{ name: 'Ana Ruiz' },
		{ name: 'Bob' },
	]);
});

test('erasing a person leaves no byte of theirs, whatever the state, while the server runs', async () => {
	await using storing = await startStoring();
	const ana = { ...lead, name: 'Ana Unmistakable' };
	for (const body of [ana, { ...ana, website: 'x' }, { ...lead, email: 'bob@example.com', name: 'Bob' }])
		await postBody(storing.server.url, body);
	await storing.receiver.received(2);
	await storing.server.process.printed(/Delivered[^]*Delivered/);
	expect(await storing.bytes()).toContain('Unmistakable');

	expect(await storing.leads('erase', 'ana@clinicasol.example', '--yes')).toContain('Deleted 2 entries');
	expect(await storing.bytes()).not.toMatch(/Unmistakable|ana@clinicasol/);
	expect(await storing.bytes()).toContain('bob@example.com');
});

test('who was erased is not known when they write again: the lead is delivered', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	await storing.receiver.received(1);
	await storing.leads('erase', lead.email, '--yes');
	await postLead(storing.server.url);
	await storing.receiver.received(2);
});
