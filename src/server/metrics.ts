import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf } from '../http/request.ts';
import { publicTestKey } from '../lead/intake/authentication.ts';
import { countedAlone, deliveryTried, submissionProcessed } from '../lead/events.ts';
import type { Backlog } from '../lead/store/store.ts';
import { operationAt } from '../operations/operations.ts';
import { operations } from '../operations/operations.ts';
import { urlOf } from './announcement.ts';
import type { Backend } from './backend.ts';

const METRICS_PATH = '/metrics';

/**
 * Serves all metrics, counted from now on, in the text format of Prometheus, at the configured address and nowhere else.
 *
 * @param server the one whose answers are counted
 * @throws {Error} Node's own, if it cannot listen
 */
export async function serveMetrics({ settings, log, store, channels, visitorMail }: Backend, server: Server): Promise<void> {
	const counted = [
		countAnswers(server),
		countLeads(),
		countAlone(),
		countTries([...channels, ...(visitorMail ? [visitorMail] : [])]),
	];
	const metricsServer = createServer(async ({ url }, response) => {
		if (url !== METRICS_PATH) return void response.writeHead(404).end();
		try {
			const all = [...counted, ...(store ? gaugesOf(await store.backlog()) : [])];
			response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(all.join(''));
		} catch {
			// Prometheus then takes the server for down: it takes no leads.
			response.writeHead(503).end('The store does not answer.\n');
		}
	});
	metricsServer.listen(settings.metrics);
	await once(metricsServer, 'listening');
	const { host } = settings.metrics!;
	log.info({ metrics: urlOf(host, metricsServer.address() as AddressInfo) + METRICS_PATH }, 'Metrics are served.');
}

type Metric = ReturnType<typeof metric>;

/** Returns a metric without series. As a string, it is what Prometheus reads. */
function metric(type: 'counter' | 'gauge', name: string, help: string) {
	const values = new Map<string, number>();
	return {
		/** A count begins with 0, so that the first event shows as a rise. */
		add(labels: Record<string, string>, number: number): void {
			const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
			const series = pairs.length > 0 ? `${name}{${pairs.join(',')}}` : name;
			values.set(series, (values.get(series) ?? 0) + number);
		},
		toString(): string {
			const lines = Array.from(values, ([series, value]) => `${series} ${value}\n`);
			return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
		},
	};
}

function countAnswers(server: Server): Metric {
	const answers = metric('counter', 'http_answers_total', 'Answers. other: no operation; aborted: the client has gone.');
	for (const operation of [...operations.map(({ operationId }) => operationId), 'other'])
		for (const status of ['500', '503']) answers.add({ operation, status }, 0);
	server.on('request', ({ url = '', headers }, response) => {
		// Whoever tries what a program does after an error wakes up nobody.
		if (headers['test-answer'] !== undefined && headers.authorization?.endsWith(publicTestKey)) return;
		response.once('close', () => {
			const status = response.writableFinished ? String(response.statusCode) : 'aborted';
			answers.add({ operation: operationAt(pathOf(url))?.operationId ?? 'other', status }, 1);
		});
	});
	return answers;
}

function countLeads(): Metric {
	const leads = metric('counter', 'leads_total', 'Submissions that could be read, by what became of them.');
	submissionProcessed.subscribe(({ outcome }) => leads.add({ outcome }, 1));
	return leads;
}

function countAlone(): Metric {
	const alone = metric('counter', 'requests_counted_alone_total', 'Requests that the store could not count for all instances.');
	alone.add({}, 0);
	countedAlone.subscribe(() => alone.add({}, 1));
	return alone;
}

function countTries(channels: Backend['channels']): Metric {
	const tries = metric('counter', 'lead_delivery_tries_total', 'Tries to deliver, by what came of them.');
	for (const { name: channel } of channels)
		for (const outcome of ['sent', 'waiting', 'parked', 'failed']) tries.add({ channel, outcome }, 0);
	deliveryTried.subscribe(({ channel, outcome }) => tries.add({ channel, outcome }, 1));
	return tries;
}

function gaugesOf({ oldestWaiting, ...counts }: Backlog): Metric[] {
	const kept = metric('gauge', 'leads_kept', 'Leads in the store that are not delivered, by state.');
	for (const [state, leads] of Object.entries(counts)) kept.add({ state }, leads);
	const age = metric('gauge', 'leads_oldest_waiting_age_seconds', 'How long the oldest lead that waits has waited.');
	age.add({}, oldestWaiting === null ? 0 : Math.max(0, Date.now() - oldestWaiting) / 1000);
	return [kept, age];
}
