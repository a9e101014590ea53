import { expect, test } from 'vitest';
import { quarantinedLead } from '../../src/lead/quarantine.ts';
import { runLeads } from '../support/leads-command.ts';
import { lead, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const hit = { ...lead, website: 'https://clinicasol.example' };

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

test.each([
	['a program', { 'content-type': 'application/json' }, JSON.stringify],
	['the form alone', { accept: 'text/html' }, (body: object) => new URLSearchParams(body as Record<string, string>)],
])('a hit from %s is answered like a lead: same status, headers and body', async (_, headers, encode) => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
	const answerTo = async (body: object) => {
		const url = `${storing.server.url}/api/contact`;
		const response = await fetch(url, { method: 'POST', headers, body: encode(body), redirect: 'manual' });
		const { date: _, ...rest } = Object.fromEntries(response.headers);
		return { status: response.status, headers: rest, body: await response.text() };
	};
	expect(await answerTo(hit)).toEqual(await answerTo(lead));
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

test('of a hit only fields of a lead are kept, cleaned as in a lead and cut to their limits', () => {
	const kept = quarantinedLead({ name: ' Ana\nRuiz\u0007 ', message: 'x'.repeat(9000), phone: 5, other: 'gone', website: 'x' });
	expect(kept).toEqual({ name: 'Ana Ruiz', message: `${'x'.repeat(4999)}…`, website: 'x' });
});
