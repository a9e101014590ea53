import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf } from '../api/request.ts';
import { channelsOf } from './channels.ts';
import { events } from '../lead/lead.ts';
import { publicTestKey } from '../api/authentication.ts';
import { operationAt, operations } from '../api/operations.ts';
import type { Running } from './handler.ts';

/**
 * Serves all metrics, counted from now on, in the text format of Prometheus, at the configured address and nowhere else.
 * @param server the one whose answers are counted
 * @throws {Error} Node's own, if it cannot listen
 */
export async function serveMetrics(running: Running, server: Server): Promise<AddressInfo> {
	const counted = counters(running, server);
	const metricsServer = createServer(async ({ url }, response) => {
		if (url !== '/metrics') return void response.writeHead(404).end();
		const all = [...counted, ...(await gauges(running))];
		response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(all.join(''));
	});
	metricsServer.listen(running.settings.METRICS_ADDRESS);
	await once(metricsServer, 'listening');
	return metricsServer.address() as AddressInfo;
}

function counters({ settings }: Running, server: Server): Metric[] {
	const { channels, visitorMail } = channelsOf(settings);
	const help = 'Answers. other: no operation; aborted: the client has gone, or its body came too late.';
	const answers = metric('counter', 'http_answers_total', help);
	const leads = metric('counter', 'leads_total', 'Submissions that could be read, by what became of them.');
	const alone = metric('counter', 'requests_counted_alone_total', 'Requests that the store could not count for all instances.');
	const tries = metric('counter', 'lead_delivery_tries_total', 'Tries to deliver, by what came of them.');
	// These begin with 0, so that the first event shows as a rise.
	for (const operation of [...operations.map(({ operationId }) => operationId), 'other'])
		for (const status of ['500', '503']) answers.add({ operation, status }, 0);
	for (const { name: channel } of [...channels, ...(visitorMail ? [visitorMail] : [])])
		for (const outcome of ['sent', 'waiting', 'parked', 'failed']) tries.add({ channel, outcome }, 0);
	alone.add({}, 0);
	server.on('request', ({ url = '', headers }, response) => {
		// An error that somebody asked for, to test a program, must not raise an alert.
		if (headers['test-answer'] !== undefined && headers.authorization?.endsWith(publicTestKey)) return;
		response.once('close', () => {
			const status = response.writableFinished ? String(response.statusCode) : 'aborted';
			answers.add({ operation: operationAt(pathOf(url))?.operationId ?? 'other', status });
		});
	});
	events.on('processed', leads.add).on('countedAlone', alone.add).on('tried', tries.add);
	return [answers, leads, alone, tries];
}

/** Returns what the store says, as far as it answers. Never rejects. */
async function gauges({ settings, deps }: Running): Promise<Metric[]> {
	if (settings.LEAD_STORE.kind === 'none') return [];
	const writable = metric('gauge', 'lead_store_writable', 'Whether a write to the store has just worked: 1, or 0 if not.');
	// Undefined while the store is away since the start.
	const store = deps?.kept?.store;
	const [written, counted] = await Promise.allSettled([store?.requireWritable(), store?.count()]);
	writable.add({}, store && written.status === 'fulfilled' ? 1 : 0);
	if (counted.status === 'rejected' || !counted.value) return [writable];
	const { oldestWaiting, ...counts } = counted.value;
	const now = written.status === 'fulfilled' && written.value ? written.value : Date.now();
	const kept = metric('gauge', 'leads_kept', 'Leads in the store that are not delivered, by state.');
	for (const state of ['waiting', 'parked', 'quarantined'] as const) kept.add({ state }, counts[state]);
	const age = metric('gauge', 'leads_oldest_waiting_age_seconds', 'How long the oldest lead that waits has waited.');
	age.add({}, oldestWaiting === null ? 0 : Math.max(0, now - oldestWaiting) / 1000);
	return [writable, kept, age];
}

type Metric = ReturnType<typeof metric>;

/** Returns a metric without series. As a string, it is what Prometheus reads. */
function metric(type: 'counter' | 'gauge', name: string, help: string) {
	const values = new Map<string, number>();
	return {
		add(labels: object, number = 1): void {
			const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
			const series = pairs.length > 0 ? `${name}{${pairs.toSorted().join(',')}}` : name;
			values.set(series, (values.get(series) ?? 0) + number);
		},
		toString(): string {
			const lines = Array.from(values, ([series, value]) => `${series} ${value}\n`);
			return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
		},
	};
}
