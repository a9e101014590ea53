import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Lead } from '../../src/lead/lead.ts';
import { faultsOf, quarantinedLead } from '../../src/lead/quarantine.ts';
import { hostileLead } from '../support/hostile-lead.ts';
import { runLeads } from '../support/leads-command.ts';
import { lead, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

// Each command is a process of its own: on a busy machine they take their time.
vi.setConfig({ testTimeout: 30_000 });

const hit = { ...lead, website: 'https://clinicasol.example' };

type Storing = Awaited<ReturnType<typeof startStoring>>;

/** A server that delivers to a webhook, and the operator beside it. */
async function startStoring(settings: Record<string, string> = {}) {
	const folder = await temporaryFolder();
	const receiver = await startWebhookReceiver();
	const env = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url, ...settings };
	const server = await startServer(env);
	const leads = (...args: string[]) => runLeads(args, env);
	return {
		receiver,
		server,
		leads,
		quarantined: async () => {
			const { stdout } = await leads('list', '--state', 'quarantined', '--json');
			return (JSON.parse(stdout) as { entries: { id: string }[] }).entries.map(({ id }) => id);
		},
		async [Symbol.asyncDispose]() {
			for (const resource of [server, receiver, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}

describe.each([
	['a program', { 'content-type': 'application/json' }, JSON.stringify],
	['the form alone', { accept: 'text/html' }, (body: object) => new URLSearchParams(body as Record<string, string>)],
])('a hit from %s is answered like a lead: same status, headers and body', (_, headers, encode) => {
	/** But for what tells the time. */
	const answerTo = async ({ server }: Storing, body: object) => {
		const response = await fetch(`${server.url}/api/contact`, {
			method: 'POST',
			headers,
			body: encode(body),
			redirect: 'manual',
		});
		const timed = { date: '', 'retry-after': 'n', ratelimit: response.headers.get('ratelimit')?.replace(/t=\d+/, 't=n') };
		return {
			status: response.status,
			headers: { ...Object.fromEntries(response.headers), ...timed },
			body: await response.text(),
		};
	};

	test('where there is no limit', async () => {
		await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
		const answer = await answerTo(storing, hit);
		expect(answer.status).toBeLessThan(400);
		expect(answer).toEqual(await answerTo(storing, lead));
		expect(await storing.quarantined()).toHaveLength(1);
	});

	test('over the limit, and then nothing is kept of it', async () => {
		await using storing = await startStoring({ LEAD_RATE_LIMIT: '1/10m' });
		await answerTo(storing, lead);
		const answer = await answerTo(storing, hit);
		expect(answer.status).toBe(429);
		expect(answer).toEqual(await answerTo(storing, lead));
		expect(await storing.quarantined()).toEqual([]);
	});
});

test('a hit waits for the disk as a lead does: what was answered is there after a kill', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, hit);
	storing.server.process.signal('SIGKILL');
	await storing.server.process.exit();
	expect(await storing.quarantined()).toHaveLength(1);
});

test('a hit is kept and not delivered; released, it goes to the channels like any lead', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, hit);
	await postBody(storing.server.url, { ...lead, name: 'Bob' });
	await storing.receiver.received(1);
	const [id] = await storing.quarantined();
	const { code, stdout } = await storing.leads('release', id!.slice(-8));
	expect([code, stdout]).toEqual([0, expect.stringContaining('Released to json:127.0.0.1')]);

	// The server looks every 15 seconds, and whenever a lead comes in.
	await postBody(storing.server.url, { ...lead, name: 'Eve' });
	await storing.receiver.received(3);
	const bodies = storing.receiver.requests.map(({ body }) => JSON.parse(body) as { data: Record<string, unknown> });
	expect(bodies.map(({ data }) => data['name']).toSorted()).toEqual(['Ana Ruiz', 'Bob', 'Eve']);
	expect(bodies.find(({ data }) => data['id'] === id)!.data).not.toHaveProperty('website');
	expect(await storing.quarantined()).toEqual([]);
});

test('what is no lead is not released, with the reason, and can still be read', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, { website: 'x', name: 'Bot\u001B[2J', email: 'a@b.example, c@d.example', consent: 'on' });
	const [id] = await storing.quarantined();
	const { code, stderr } = await storing.leads('release', id!);
	expect([code, stderr]).toEqual([1, expect.stringContaining('clinic_required, email_invalid')]);
	expect((await storing.leads('show', id!)).stdout).toMatch(/^Name +Bot\[2J$/m);
	expect(await storing.quarantined()).toEqual([id]);
});

test('a lead is released once, and one that was never in quarantine is not', async () => {
	await using storing = await startStoring();
	await postBody(storing.server.url, hit);
	const [id] = await storing.quarantined();
	const codes = [await storing.leads('release', id!), await storing.leads('release', id!)].map(({ code }) => code);
	expect(codes).toEqual([0, 1]);
});

test('a flood fills the quarantine to its cap, and the oldest go first', async () => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
	await postBody(storing.server.url, hit);
	const [oldest] = await storing.quarantined();
	for (let sent = 0; sent < 1050; sent += 50)
		await Promise.all(Array.from({ length: 50 }, () => postBody(storing.server.url, { website: 'x' })));
	storing.server.process.signal('SIGTERM');
	await storing.server.process.exit();
	const kept = await storing.quarantined();
	expect(kept).toHaveLength(1000);
	expect(kept).not.toContain(oldest);
});

test('a lead that would have been valid is released whole', async () => {
	await using storing = await startStoring();
	const whole = {
		name: '😀'.repeat(120),
		clinic: `${'\u0958'.repeat(160)}`,
		message: `${'e\u0301'.repeat(4990)}\n👩‍⚕️ end`,
		phone: ' 600 ',
	};
	await postBody(storing.server.url, { ...hit, ...whole, country: null, lang: 7 });
	const [id] = await storing.quarantined();
	expect((await storing.leads('release', id!)).code).toBe(0);
	await postBody(storing.server.url, lead);
	await storing.receiver.received(2);
	const leads = storing.receiver.requests.map(({ body }) => (JSON.parse(body) as { data: Record<string, unknown> }).data);
	const { website: _, ...sent } = hit;
	const message = whole.message.normalize('NFC');
	expect(leads.find((data) => data['id'] === id)).toMatchObject({ ...sent, ...whole, message, phone: '600' });
});

test.each([
	['too long', { name: '😀'.repeat(121) }, 'name_too_long'],
	['much too long', { message: 'x'.repeat(30_000) }, 'message_too_long'],
	['without consent, though it looks so', { consent: ' on ' }, 'consent_required'],
	['in other letters', { consent: 'ON' }, 'consent_required'],
	['without a name', { name: null }, 'name_required'],
])('a hit that is no lead, being %s, is not released', async (_case, fields, code) => {
	await using storing = await startStoring();
	await postBody(storing.server.url, { ...hit, ...fields });
	const [id] = await storing.quarantined();
	expect((await storing.leads('release', id!)).stderr).toContain(`could be delivered: ${code}.`);
});

test('of a hit only fields of a lead are kept that are text, cleaned as in a lead; what is too long is cut, and stays too long', () => {
	const fields = {
		name: ' Ana\nRuiz\u0007 ',
		clinic: '😀'.repeat(4000),
		message: 'x'.repeat(9000),
		phone: 5,
		other: 'gone',
		website: 'x',
	};
	const [clinic, message] = [`${'😀'.repeat(160)}…`, `${'x'.repeat(5000)}…`];
	expect(quarantinedLead(fields)).toEqual({ name: 'Ana Ruiz', clinic, message, website: 'x' });
});

test('whatever a lead holds is kept as it is', () => {
	const given = (fields: Partial<Lead>) => Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
	fc.assert(fc.property(hostileLead, (fields) => void expect(quarantinedLead(fields)).toEqual(given(fields))));
	fc.assert(
		fc.property(hostileLead, (fields) => void expect(faultsOf(quarantinedLead({ ...fields, website: 'x' }))).toEqual([])),
	);
});
