import { describe, expect, test } from 'vitest';
import { publicTestKey } from '../../src/api/authentication.ts';
import { kept, METRICS, metricsUrl, scrape, valueOf, promtool, promtoolMissing } from '../support/metrics.ts';
import { runDoctor } from '../support/operator-command.ts';
import { lead, postBody, postLead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startStoring } from '../support/lead-places.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** Returns the series of a metric, without the name of the channel. */
const seriesOf = (metric: string, text: string) =>
	text.split('\n').flatMap((line) => (line.startsWith(`${metric}{`) ? [line.replace(/"json:.*?"/, 'it')] : []));

const triesOf = (counts: Record<'sent' | 'waiting' | 'parked' | 'failed', number>) =>
	Object.entries(counts).map(([outcome, tries]) => `lead_delivery_tries_total{channel=it,outcome="${outcome}"} ${tries}`);

test('metrics are at their address alone, and where that is taken no server starts', async () => {
	await using storing = await startStoring(METRICS);
	const url = await metricsUrl(storing.server);
	const scraped = await fetch(url);
	expect(scraped.headers.get('content-type')).toContain('text/plain; version=');
	expect((await fetch(`${storing.server.url}/metrics`)).status).toBe(404);
	expect((await fetch(new URL('/api/status', url))).status).toBe(404);
	const taken = startServer({ METRICS_ADDRESS: new URL(url).host });
	await expect(taken).rejects.toThrow(/Metrics cannot be served: .*EADDRINUSE.*METRICS_ADDRESS/);
	expect(storing.server.process.log).not.toContainEqual(expect.objectContaining({ level: 'warn', host: '127.0.0.1' }));
	// No machine of ours has it.
	const open = startServer({ METRICS_ADDRESS: '203.0.113.9:9464' });
	await expect(open).rejects.toThrow(/^(?=[^]*"level":"warn".*"host":"203.0.113.9")[^]*EADDRNOTAVAIL/);
});

describe('what is counted', () => {
	test('leads by what became of them, and answers by operation and status', async () => {
		await using storing = await startStoring({ ...METRICS, LEAD_RATE_LIMIT: '3/1h' });
		const { server } = storing;
		for (const email of ['a@example.com', 'b@example.com']) await postLead(server.url, { email });
		await postBody(server.url, {});
		await postLead(server.url, { website: 'https://spam.example' });
		await postLead(server.url, {}, { authorization: `Bearer ${publicTestKey}` });
		await postLead(server.url, {}, { authorization: `Bearer ${publicTestKey}`, 'test-answer': '503' });
		expect((await postLead(server.url)).status).toBe(429);
		for (const path of ['/api/status', '/', '/secret-path']) await (await fetch(server.url + path)).text();
		const answered = { submitLead: { 200: 4, 422: 1, 429: 1, 503: 0 }, getStatus: { 200: 1 }, other: { 200: 1, 404: 1 } };
		const wanted = Object.entries(answered).flatMap(([operation, counts]) =>
			Object.entries(counts).map(([status, n]) => `http_answers_total{operation="${operation}",status="${status}"} ${n}`),
		);
		await expect.poll(async () => seriesOf('http_answers_total', await scrape(server))).toEqual(expect.arrayContaining(wanted));
		const became = Object.entries({ accepted: 2, 'invalid-lead': 1, quarantined: 1, 'rate-limited': 1, test: 1 });
		const outcomes = became.map(([outcome, leads]) => `leads_total{outcome="${outcome}"} ${leads}`);
		expect(seriesOf('leads_total', await scrape(server)).toSorted()).toEqual(outcomes);
	});

	test('tries of each channel, what waits and for how long, and what is parked', async () => {
		const second = Promise.withResolvers<void>();
		const answers = [{ status: 500 }, { status: 500, until: second.promise }];
		await using storing = await startStoring({ ...METRICS, LEAD_RETRY: '1s' }, (_, before) => answers[before] ?? {});
		const { server, receiver } = storing;
		await postLead(server.url);
		await receiver.received(2);
		const waiting = await scrape(server);
		expect([valueOf(kept('waiting'), waiting), valueOf(kept('parked'), waiting)]).toEqual([1, 0]);
		// A wait is up to a fifth shorter than its setting.
		expect(valueOf('leads_oldest_waiting_age_seconds', waiting)).toBeGreaterThan(0.8);

		second.resolve();
		await expect.poll(async () => valueOf(kept('parked'), await scrape(server))).toBe(1);
		const parked = await scrape(server);
		expect([valueOf(kept('waiting'), parked), valueOf('leads_oldest_waiting_age_seconds', parked)]).toEqual([0, 0]);

		await storing.leads('retry', '--parked');
		// The notice of the trouble takes the same channel, because there is no other.
		const tries = async () => seriesOf('lead_delivery_tries_total', await scrape(server));
		await expect.poll(tries).toEqual(triesOf({ sent: 2, waiting: 1, parked: 1, failed: 0 }));
	});

	test('without a store a try that failed has lost the lead for the channel, and a test key delivers nothing', async () => {
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 200 : 500 }));
		await using server = await startServer({ ...METRICS, LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		for (const email of ['a@example.com', 'b@example.com']) await postLead(server.url, { email });
		await postLead(server.url, {}, { authorization: `Bearer ${publicTestKey}` });
		const text = await scrape(server);
		expect(seriesOf('lead_delivery_tries_total', text)).toEqual(triesOf({ sent: 1, waiting: 0, parked: 0, failed: 1 }));
		expect(text).not.toMatch(/leads_kept|lead_store/);
	});

	test.skipIf(promtoolMissing)('is what Prometheus takes, in names it advises, and nothing that a visitor wrote', async () => {
		await using storing = await startStoring(METRICS);
		const { server } = storing;
		const telling = { name: 'Zenobia', clinic: 'Palmyra', email: 'zenobia@palmyra.example', message: 'aurelian' };
		await postLead(server.url, { ...telling, source: 'odaenathus' }, { 'idempotency-key': 'vaballathus' });
		await postBody(server.url, { ...lead, email: 'timagenes' });
		await fetch(`${server.url}/zabdas?zabdai=1`);
		await expect.poll(() => scrape(server)).toMatch(/^lead_delivery_tries_total.*sent.* 1$/m);
		const text = await scrape(server);
		expect(text).not.toMatch(/zenobia|palmyra|aurelian|odaenathus|vaballathus|timagenes|zabda|secret-part/i);
		expect(promtool(['check', 'metrics'], text)).toMatchObject({ status: 0, said: '' });
	});
});

test('a full disk is told before a visitor is refused, with what waits there, until there is room again', async ({ skip }) => {
	using disk = mountSmallDisk();
	if (!disk) return skip('The test of a full disk was skipped: it needs the right to mount.');
	await using receiver = await startWebhookReceiver({ status: 500 });
	const env = { LEAD_STORE: `sqlite:${disk.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url };
	await using server = await startServer({ ...METRICS, ...env });
	await postLead(server.url);
	await receiver.received(1);
	expect(valueOf('lead_store_writable', await scrape(server))).toBe(1);
	const makeRoom = disk.fill();
	const full = await scrape(server);
	expect([valueOf('lead_store_writable', full), valueOf(kept('waiting'), full)]).toEqual([0, 1]);
	// A write that fails closes the file, and that empties the log of its changes.
	disk.fill();
	const { findings } = await runDoctor([server.url], env);
	expect(findings).toContainEqual(expect.objectContaining({ check: 'store: writable', outcome: 'fault' }));
	makeRoom();
	await expect.poll(async () => valueOf('lead_store_writable', await scrape(server))).toBe(1);
});
