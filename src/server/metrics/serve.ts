import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { urlOf } from '../announcement.ts';
import type { Deployment } from '../deployment.ts';
import { createServer } from '../node-http.ts';
import type { OrderedServer } from '../server.ts';
import { watchBacklog } from './backlog.ts';
import { countLeads } from './leads.ts';
import { timeRequests } from './requests.ts';

const METRICS_PATH = '/metrics';

/**
 * Serves what is counted from now on, in the text format of Prometheus, at the address of the settings and nowhere else.
 *
 * @param server the one whose requests are measured
 * @throws {Error} Node's own, where it cannot listen
 */
export async function serveMetrics(deployment: Deployment, server: OrderedServer): Promise<void> {
	const { settings, log, backlog } = deployment;
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	countLeads(registry, deployment);
	timeRequests(registry, server);
	const refresh = backlog ? watchBacklog(registry, backlog) : () => Promise.resolve();

	const metricsServer = createServer((request, response) => void answer(request, response));
	metricsServer.listen(settings.metrics);
	await once(metricsServer, 'listening');
	const { host } = settings.metrics!;
	log.info({ metrics: urlOf(host, metricsServer.address() as AddressInfo) + METRICS_PATH }, 'Metrics are served.');

	async function answer({ method = '', url }: IncomingMessage, response: ServerResponse): Promise<void> {
		if (url !== METRICS_PATH) return void response.writeHead(404).end();
		if (!['GET', 'HEAD'].includes(method)) return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
		await refresh();
		const text = await registry.metrics();
		response.writeHead(200, { 'content-type': registry.contentType }).end(text);
	}
}
