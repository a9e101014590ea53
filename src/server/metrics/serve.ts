import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from '@prometheus-io/client';
import { setTimeout as wait } from 'node:timers/promises';
import { subscribe } from 'node:diagnostics_channel';
import { isRead, pathOf } from '../../http/request.ts';
import { signalNames } from '../../lead/spam/judgement.ts';
import { committed, submissionProcessed, deliveryTried, leadJudged } from '../../lead/events.ts';
import type { Backlog } from '../../lead/store/store.ts';
import { operationAt } from '../../operations/answer.ts';
import { operations } from '../../operations/operations.ts';
import { urlOf } from '../announcement.ts';
import type { Backend } from '../backend.ts';

const METRICS_PATH = '/metrics';

/**
 * Serves all metrics, counted from now on, in the text format of Prometheus, at the configured address and nowhere else.
 *
 * @param server the one whose requests are measured
 * @throws {Error} Node's own, if it cannot listen
 */
export async function serveMetrics(backend: Backend, server: Server): Promise<void> {
	const { settings, log, backlog, channels, visitorMail } = backend;
	collectDefaultMetrics();
	countOutcomes();
	countJudgements();
	countDeliveries(new Set([...channels, ...(visitorMail ? [visitorMail] : [])].map(({ name }) => name)));
	timeCommits();
	timeRequests(server);
	const refresh = backlog ? watchBacklog(backlog) : () => Promise.resolve();

	const metricsServer = createServer((request, response) => void answer(request, response));
	metricsServer.listen(settings.metrics);
	await once(metricsServer, 'listening');
	const { host } = settings.metrics!;
	log.info({ metrics: urlOf(host, metricsServer.address() as AddressInfo) + METRICS_PATH }, 'Metrics are served.');

	async function answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
		if (!namesAddress(headers.host))
			return void response.writeHead(421).end('Ask for the address in METRICS_ADDRESS, by no other name.\n');
		if (url !== METRICS_PATH) return void response.writeHead(404).end();
		if (!isRead({ method })) return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
		await refresh();
		const text = await register.metrics();
		response.writeHead(200, { 'content-type': register.contentType }).end(text);
	}
}

/**
 * Returns whether a `Host` is an address or `localhost`. A page on the internet can point its own name to this address (DNS
 * rebinding), and would then read the metrics as its own content.
 */
function namesAddress(host = ''): boolean {
	const hostname = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? '';
	return hostname === 'localhost' || isIP(hostname) > 0;
}

/** In seconds. A local disk falls into one of the first buckets, a distant database into one of the last. */
const COMMIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Each count begins with 0, so that the first event shows as a rise. */
function countOutcomes(): void {
	const leads = new Counter({
		name: 'leads_total',
		help: 'Submissions that could be read, by what became of them.',
		labelNames: ['outcome'],
	});
	for (const outcome of [
		'accepted',
		'quarantined',
		'test',
		'invalid-lead',
		'invalid-credential',
		'idempotency-key-in-use',
		'idempotency-key-reused',
		'rate-limited',
		'unavailable',
	])
		leads.inc({ outcome }, 0);
	submissionProcessed.subscribe(({ outcome }) => leads.inc({ outcome }));
}

/** Counts how leads were judged, and the signals in them. */
function countJudgements(): void {
	const verdicts = new Counter({
		name: 'lead_spam_verdicts_total',
		help: 'Leads that were judged, by verdict. marked: delivered with the reasons; held: kept until somebody releases it.',
		labelNames: ['verdict'],
	});
	const signals = new Counter({
		name: 'lead_spam_signals_total',
		help: 'Signals of spam in leads that were judged. A lead may have several.',
		labelNames: ['signal'],
	});
	for (const verdict of ['clear', 'marked', 'held']) verdicts.inc({ verdict }, 0);
	// Nobody judges hits of the honeypot.
	for (const signal of signalNames.filter((name) => name !== 'honeypot')) signals.inc({ signal }, 0);
	leadJudged.subscribe(({ verdict, signals: found }) => {
		verdicts.inc({ verdict });
		for (const signal of found) signals.inc({ signal });
	});
}

/** A lead with a test key goes to a channel that is not configured, and is not counted. */
function countDeliveries(channels: Set<string>): void {
	const deliveries = new Counter({
		name: 'lead_deliveries_total',
		help: 'Deliveries that came to an end. parked: kept until the operator retries it; failed: without a store, so lost for the channel.',
		labelNames: ['channel', 'outcome'],
	});
	const tries = new Counter({
		name: 'lead_delivery_tries_total',
		help: 'Tries to deliver, whatever came of them.',
		labelNames: ['channel'],
	});
	for (const channel of channels) {
		tries.inc({ channel }, 0);
		for (const outcome of ['sent', 'parked', 'failed']) deliveries.inc({ channel, outcome }, 0);
	}
	deliveryTried.subscribe(({ channel, outcome }) => {
		if (!channels.has(channel)) return;
		tries.inc({ channel });
		if (outcome !== 'waiting') deliveries.inc({ channel, outcome });
	});
}

function timeCommits(): void {
	const commits = new Histogram({
		name: 'lead_store_commit_duration_seconds',
		help: 'How long the store took to commit: with SQLite what came at the same time, with PostgreSQL a statement.',
		buckets: COMMIT_BUCKETS,
	});
	committed.subscribe(({ took }) => commits.observe(took / 1000));
}

/** In milliseconds: Prometheus gives up after ten seconds, and would then get no metric at all. */
const PATIENCE = 5000;

/** @returns asks the store for its backlog. Never throws: if the store fails, a metric says so and the others are missing */
function watchBacklog(ask: () => Promise<Backlog>): () => Promise<void> {
	const up = new Gauge({ name: 'lead_store_up', help: '1: the store answers; 0: it does not.' });
	const kept = new Gauge({
		name: 'leads_kept',
		help: 'Leads in the store that are not delivered, by state. PostgreSQL counts 10000 of each at most.',
		labelNames: ['state'],
	});
	const age = new Gauge({
		name: 'leads_oldest_waiting_age_seconds',
		help: 'How long the oldest lead that waits for a channel has waited; 0: none waits.',
	});

	return async () => {
		const backlog = await Promise.race([ask().catch(() => undefined), wait(PATIENCE, undefined, { ref: false })]);
		up.set(backlog ? 1 : 0);
		kept.reset();
		age.remove();
		if (!backlog) return;
		const { oldestWaiting, ...counts } = backlog;
		for (const [state, leads] of Object.entries(counts)) kept.set({ state }, leads);
		age.set(oldestWaiting === null ? 0 : Math.max(0, Date.now() - oldestWaiting) / 1000);
	};
}

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Node's message about a new request to any server in the process. */
interface Arrival {
	request: IncomingMessage;
	response: ServerResponse;
	server: unknown;
}

/** Measures every request to a server from now on, from its headers to the end of its answer. */
function timeRequests(server: Server): void {
	const durations = new Histogram({
		name: 'http_request_duration_seconds',
		help: 'From the headers of a request to the end of its answer. other: pages, documents and what is not there; aborted: the client has gone.',
		labelNames: ['operation', 'status'],
		buckets: BUCKETS,
	});
	// From 0, so that the first one shows as a rise.
	for (const operation of [...operations.map(({ operationId }) => operationId), 'other'])
		for (const status of ['500', '503']) durations.zero({ operation, status });
	subscribe('http.server.request.start', (message) => {
		const { request, response, server: of } = message as Arrival;
		if (of !== server) return;
		const start = performance.now();
		response.once('close', () => {
			const status = response.writableFinished ? String(response.statusCode) : 'aborted';
			const operation = operationAt(pathOf(request.url ?? ''))?.operationId ?? 'other';
			durations.observe({ operation, status }, (performance.now() - start) / 1000);
		});
	});
}
