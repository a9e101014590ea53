import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Histogram, type Registry } from '@prometheus-io/client';
import { paths } from '../../service/links.ts';
import { pathOf } from '../listener.ts';
import { operations } from '../operations.ts';
import type { OrderedServer } from '../server.ts';

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What Node.js tells when a request has come in, of every server in the process. */
interface Arrival {
	request: IncomingMessage;
	response: ServerResponse;
	server: unknown;
}

/** The operations as OpenAPI names them, by path. */
const names = new Map<string, string>(
	Object.entries(paths)
		.filter(([, path]) => operations.has(path))
		.map(([name, path]) => [path, name]),
);

/** Measures every request to a server from now on, from its headers to the end of its answer. */
export function timeRequests(registry: Registry, server: OrderedServer): void {
	const durations = new Histogram({
		name: 'http_request_duration_seconds',
		help: 'From the headers of a request to the end of its answer. other: pages, documents and what is not there; aborted: the client has gone.',
		labelNames: ['operation', 'status'],
		buckets: BUCKETS,
		registers: [registry],
	});
	// From 0, so that the first of them is seen as a rise.
	for (const operation of [...names.values(), 'other'])
		for (const status of ['500', '503']) durations.zero({ operation, status });
	subscribe('http.server.request.start', (message) => {
		const { request, response, server: of } = message as Arrival;
		if (of !== server) return;
		const start = performance.now();
		response.once('close', () => {
			const status = response.writableFinished ? String(response.statusCode) : 'aborted';
			const operation = names.get(pathOf(request)) ?? 'other';
			durations.observe({ operation, status }, (performance.now() - start) / 1000);
		});
	});
}
