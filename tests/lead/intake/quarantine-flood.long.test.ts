import { expect, test } from 'vitest';
import { lead, postBody } from '../../support/post-lead.ts';
import { startServer } from '../../support/server.ts';
import { startSmtpServer } from '../../support/smtp-server.ts';
import { hit, startTrapping } from '../../support/trapping-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

test('without a store a hit waits for its notice or, where there is none, for as long as the last delivery took', async () => {
	let hold = Promise.withResolvers<void>();
	await using receiver = await startWebhookReceiver(() => ({ until: hold.promise }));
	await using server = await startServer({ LEAD_RATE_LIMIT: 'off', LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: 'none' });
	const post = async (body: object) => expect((await postBody(server.url, body)).status).toBe(200);
	/** Posts while the receiver holds its answer back. Returns for how many milliseconds it did. */
	const postHeld = async (body: object, request: number) => {
		let isAnswered = false;
		const posted = post(body).then(() => (isAnswered = true));
		await receiver.received(request);
		const start = performance.now();
		for (let other = 0; other < 20; other += 1) await fetch(`${server.url}/api/status`);
		expect(isAnswered).toBe(false);
		const held = performance.now() - start;
		hold.resolve();
		await posted;
		return held;
	};
	const held = await postHeld(lead, 1);
	const start = performance.now();
	await post({ ...hit, email: 'nobody' });
	expect(performance.now() - start).toBeGreaterThan(held - 1);

	hold = Promise.withResolvers();
	await postHeld(hit, 2);
	// A repeated request is answered at once: nothing is delivered for it.
	hold = Promise.withResolvers();
	for (const body of [lead, hit, { ...hit, email: 'nobody' }]) await post(body);
	expect(receiver.requests).toHaveLength(2);
});

test('without a store a hit, for which no engine is asked, takes as long as the engine took for the last lead', async () => {
	const hold = Promise.withResolvers<void>();
	await using engine = await startWebhookReceiver({ until: hold.promise });
	await using receiver = await startWebhookReceiver();
	const LEAD_SPAM_URL = new URL(engine.url).origin;
	await using server = await startServer({ LEAD_SPAM_URL, LEAD_WEBHOOK_URL: receiver.url, LEAD_STORE: 'none' });
	const posted = postBody(server.url, lead);
	await engine.received(1);
	const held = performance.now();
	for (let other = 0; other < 20; other += 1) await fetch(`${server.url}/api/status`);
	const least = performance.now() - held;
	hold.resolve();
	expect((await posted).status).toBe(200);
	const start = performance.now();
	await postBody(server.url, hit);
	expect(performance.now() - start).toBeGreaterThan(least - 1);
	expect(receiver.requests).toHaveLength(2);
	expect(engine.requests).toHaveLength(1);
});

test('a flood fills the quarantine to its cap, and pushes out nothing that could be a lead', async () => {
	await using storing = await startTrapping({ LEAD_RATE_LIMIT: 'off' });
	await postBody(storing.server.url, hit);
	const [lead] = await storing.quarantined();
	for (let sent = 0; sent < 1050; sent += 50)
		await Promise.all(Array.from({ length: 50 }, (_, turn) => postBody(storing.server.url, { website: `${sent} ${turn}` })));
	storing.server.process.signal('SIGTERM');
	await storing.server.process.exit();
	const kept = await storing.quarantined();
	expect(kept).toHaveLength(1001);
	expect(kept).toContain(lead);
});

test('a robot flushes nobody: a possible lead outlasts a thousand others, and the next notice shows it', async () => {
	await using smtp = await startSmtpServer();
	await using storing = await startTrapping({ ...smtp.settings, LEAD_RATE_LIMIT: 'off', TRUST_PROXY: '1' });
	const post = (name: string, from: string) => postBody(storing.server.url, { ...hit, name }, { 'x-forwarded-for': from });
	await post('Robot', '2001:db8:1::1');
	await expect.poll(() => smtp.mails.length).toBe(1);
	const networks = Array.from({ length: 50 }, (_, turn) => `2001:db8:${1 + (turn % 6)}::${turn}`);
	const flood = (turn: number) => Promise.all(networks.map((from) => post(`Robot ${turn} ${from}`, from)));
	await flood(0);
	await post('A person', '198.51.100.7');
	for (let turn = 1; turn <= 20; turn += 1) await flood(turn);
	expect(await storing.quarantined()).toHaveLength(1052);
	expect(storing.server.process.output).not.toContain('deleted');

	using database = storing.database();
	database.exec('UPDATE lead_onces SET expires_at = expires_at - 86400000');
	await post('Robot at last', '2001:db8:1::1');
	await expect.poll(() => smtp.mails.length).toBe(2);
	expect(smtp.mails[1]!.parsed.subject).toContain('1052 possible leads');
	expect(smtp.mails[1]!.parsed.text).toContain('A person');
});
