import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { publicTestKey } from '../../src/keys/key.ts';
import { fetchRaw } from '../support/fetch-raw.ts';
import { METRICS, metricsUrl, scrape, valueOf } from '../support/metrics.ts';
import { lead, postBody, postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { promtool, promtoolMissing } from '../support/promtool.ts';
import { startServer } from '../support/server.ts';
import { startStoring } from '../support/storing-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const outcome = (name: string) => `leads_total{outcome="${name}"}`;
const kept = (state: string) => `leads_kept{state="${state}"}`;
const duration = (operation: string, status: string) =>
	`http_request_duration_seconds_count{operation="${operation}",status="${status}"}`;

/** Returns our files that a process with this `NODE_V8_COVERAGE` has run. */
function loadedScripts(folder: string): string[] {
	const reports = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage);
	const urls = reports.flatMap(({ result }) => result.map(({ url }) => url));
	return urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
}

interface Coverage {
	result: { url: string }[];
}

describe('where metrics are', () => {
	test.each([
		['without the setting nothing of it is even loaded', {}, false],
		['with it, it is', METRICS, true],
	])('%s', async (_, settings, expected) => {
		await using folder = await temporaryFolder();
		await using storing = await startStoring({ ...settings, NODE_V8_COVERAGE: folder.path });
		storing.server.process.signal('SIGTERM');
		expect(await storing.server.process.exit()).toBe(0);
		expect(loadedScripts(folder.path).some((file) => readFileSync(file, 'utf8').includes('nodejs_eventloop_lag'))).toBe(expected);
	});

	test('they are at their address alone, and never where the website is', async () => {
		await using storing = await startStoring(METRICS);
		const { server } = storing;
		const url = await metricsUrl(server);
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
		expect(new URL(url).origin).not.toBe(server.url);
		const scraped = await fetch(url);
		expect([scraped.status, scraped.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain; version=')]);
		for (const path of ['/metrics', '/metrics/', '/api/metrics', '/metrics?x'])
			expect((await fetch(server.url + path)).status, path).toBe(404);
	});

	test('nothing else is at that address, and nothing can be sent there', async () => {
		await using storing = await startStoring(METRICS);
		const url = await metricsUrl(storing.server);
		const { origin } = new URL(url);
		const statuses = await Promise.all(['/', '/contact', '/api/status'].map(async (path) => (await fetch(origin + path)).status));
		expect(statuses).toEqual([404, 404, 404]);
		const posted = await fetch(url, { method: 'POST', body: 'x' });
		expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
	});

	test('they are told to who asks for that address, and to nobody who calls it by a name', async () => {
		await using storing = await startStoring(METRICS);
		const url = await metricsUrl(storing.server);
		const { port } = new URL(url);
		const statusFor = async (host: string) => (await fetchRaw(url, { method: 'GET', headers: { host } })).status;
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST`, `[::1]:${port}`])
			expect(await statusFor(host)).toBe(200);
		for (const host of [`evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', 'a@b c'])
			expect([host, await statusFor(host)]).toEqual([host, 421]);
	});

	test('where the address is taken, the server does not start, and says which setting to change', async () => {
		await using storing = await startStoring(METRICS);
		const { host } = new URL(await metricsUrl(storing.server));
		await expect(startServer({ METRICS_ADDRESS: host })).rejects.toThrow(
			/Metrics cannot be served: .*EADDRINUSE.*METRICS_ADDRESS/,
		);
	});
});

describe('what is counted', () => {
	test('leads by what became of them, from 0', async () => {
		await using storing = await startStoring({ ...METRICS, LEAD_RATE_LIMIT: '3/1h' });
		const { server } = storing;
		const expected = {
			accepted: 2,
			quarantined: 1,
			test: 1,
			'invalid-lead': 1,
			'invalid-credential': 0,
			'idempotency-key-in-use': 0,
			'idempotency-key-reused': 0,
			'rate-limited': 1,
			unavailable: 0,
		};
		const counted = async () => {
			const text = await scrape(server);
			return Object.fromEntries(Object.keys(expected).map((name) => [name, valueOf(outcome(name), text)]));
		};
		expect(await counted()).toEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, 0])));
		for (const email of ['a@example.com', 'b@example.com']) await postLead(server.url, { email });
		await postBody(server.url, {});
		await postLead(server.url, { website: 'https://spam.example' });
		await postLead(server.url, {}, { authorization: `Bearer ${publicTestKey}` });
		expect((await postLead(server.url)).status).toBe(429);
		expect(await counted()).toEqual(expected);
	});

	test('tries and deliveries of each channel, what waits and for how long, and what is parked', async () => {
		const third = Promise.withResolvers<void>();
		const answers = [{ status: 500 }, { status: 500 }, { status: 500, until: third.promise }];
		await using storing = await startStoring({ ...METRICS, LEAD_RETRY: '1s 1s' }, (_, before) => answers[before] ?? {});
		const { server, receiver } = storing;
		const channel = `channel="json:${new URL(receiver.url).host}"`;
		const ended = (outcome: string) => async () =>
			valueOf(`lead_deliveries_total{${channel},outcome="${outcome}"}`, await scrape(server));
		await postLead(server.url);
		await receiver.received(3);
		const waiting = await scrape(server);
		expect(valueOf(`lead_delivery_tries_total{${channel}}`, waiting)).toBe(2);
		expect(valueOf(`lead_deliveries_total{${channel},outcome="sent"}`, waiting)).toBe(0);
		expect([valueOf(kept('waiting'), waiting), valueOf(kept('parked'), waiting)]).toEqual([1, 0]);
		expect(valueOf('leads_oldest_waiting_age_seconds', waiting)).toBeGreaterThan(1);

		third.resolve();
		await expect.poll(ended('parked')).toBe(1);
		const parked = await scrape(server);
		expect([valueOf(kept('waiting'), parked), valueOf(kept('parked'), parked)]).toEqual([0, 1]);
		expect(valueOf('leads_oldest_waiting_age_seconds', parked)).toBe(0);

		await storing.leads('retry', '--parked');
		await postLead(server.url, { email: 'another@example.com' });
		await expect.poll(ended('sent')).toBe(2);
		const sent = await scrape(server);
		expect(valueOf(`lead_delivery_tries_total{${channel}}`, sent)).toBe(5);
		expect(valueOf(kept('parked'), sent)).toBe(0);
	});

	test('without a store deliveries only, and a channel that failed has lost the lead; a test key delivers nothing', async () => {
		await using receiver = await startWebhookReceiver((_, before) => ({ status: before === 0 ? 200 : 500 }));
		await using server = await startServer({ ...METRICS, LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
		for (const email of ['a@example.com', 'b@example.com']) await postLead(server.url, { email });
		await postLead(server.url, {}, { authorization: `Bearer ${publicTestKey}` });
		const text = await scrape(server);
		const deliveries = text.match(/^lead_deliveries_total.*$/gm)!.map((line) => line.replace(/"json:.*?"/, 'it'));
		expect(deliveries).toEqual([
			'lead_deliveries_total{channel=it,outcome="sent"} 1',
			'lead_deliveries_total{channel=it,outcome="parked"} 0',
			'lead_deliveries_total{channel=it,outcome="failed"} 1',
		]);
		expect(valueOf(outcome('unavailable'), text)).toBe(1);
		expect(text).not.toMatch(/leads_kept|lead_store_up/);
	});

	test('requests by operation and status, commits, and how long the event loop is held', async () => {
		await using storing = await startStoring(METRICS);
		const { server } = storing;
		const untouched = await scrape(server);
		expect([duration('submitLead', '503'), duration('other', '500')].map((series) => valueOf(series, untouched))).toEqual([0, 0]);
		await postLead(server.url);
		await postBody(server.url, {});
		for (const path of ['/api/status', '/', '/docs', '/secret-path']) await (await fetch(server.url + path)).text();
		await fetch(`${server.url}/api/contact`, { method: 'OPTIONS' });
		const wanted = {
			[duration('submitLead', '200')]: 1,
			[duration('submitLead', '422')]: 1,
			[duration('submitLead', '204')]: 1,
			[duration('getStatus', '200')]: 1,
			[duration('other', '200')]: 2,
			[duration('other', '404')]: 1,
		};
		await expect
			.poll(async () => {
				const text = await scrape(server);
				return Object.fromEntries(Object.keys(wanted).map((series) => [series, valueOf(series, text)]));
			})
			.toEqual(wanted);
		const text = await scrape(server);
		expect(valueOf('lead_store_commit_duration_seconds_count', text)).toBeGreaterThan(0);
		expect(valueOf('nodejs_eventloop_lag_p99_seconds', text)).toBeGreaterThan(0);
	});

	test('nothing that a visitor wrote or that a setting keeps secret', async () => {
		await using storing = await startStoring({ ...METRICS, LEAD_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
		const { server } = storing;
		const telling = { name: 'Zenobia', clinic: 'Palmyra', email: 'zenobia@palmyra.example', message: 'aurelian' };
		await postLead(server.url, { ...telling, source: 'odaenathus' }, { 'idempotency-key': 'vaballathus' });
		await postLead(server.url, { ...telling, website: 'longinus' });
		await postBody(server.url, { ...lead, email: 'timagenes' });
		await fetch(`${server.url}/zabdas?zabdai=1`);
		await expect.poll(() => scrape(server)).toMatch(/^lead_deliveries_total.*sent.* [12]$/m);
		const text = await scrape(server);
		expect(text).not.toMatch(/zenobia|palmyra|aurelian|odaenathus|vaballathus|longinus|timagenes|zabda|secret-part|whsec/i);
	});

	test.skipIf(promtoolMissing)('is what Prometheus takes, in names it advises', async () => {
		await using storing = await startStoring(METRICS);
		await postLead(storing.server.url);
		const { said } = promtool(['check', 'metrics'], { input: await scrape(storing.server) });
		// The metrics of Node come from the library.
		expect(said.split('\n').filter((line) => line && !/^(nodejs|process)_/.test(line))).toEqual([]);
	});
});

describe('a store that does not answer', () => {
	test.skipIf(postgresMissing)('is told, and the rest is served; back again, it is told too', async ({ skip }) => {
		await using postgres = await startPostgres();
		if (!postgres.control) return skip('The server of TEST_POSTGRES_URL is not ours to stop.');
		await using storing = await startStoring({ ...METRICS, LEAD_STORE: await postgres.createDatabase() }, { status: 500 });
		const { server } = storing;
		await postLead(server.url);
		await expect.poll(async () => valueOf(kept('waiting'), await scrape(server))).toBe(1);
		expect(valueOf('leads_oldest_waiting_age_seconds', await scrape(server))).toBeGreaterThan(0);
		expect(valueOf('lead_store_commit_duration_seconds_count', await scrape(server))).toBeGreaterThan(0);

		await postgres.control.stop();
		const down = await scrape(server);
		expect(valueOf('lead_store_up', down)).toBe(0);
		expect(down).not.toMatch(/^(leads_kept|leads_oldest_waiting_age_seconds)\b/m);
		expect(valueOf(outcome('accepted'), down)).toBe(1);

		await postgres.control.start();
		await expect.poll(async () => valueOf('lead_store_up', await scrape(server))).toBe(1);
	});
});
