import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import { committed, judged, tried } from '../../lead/events.ts';
import type { Deployment } from '../deployment.ts';

/** In seconds: a local disk takes one of the first, a database far away one of the last. */
const COMMIT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts from now on what becomes of leads. A count begins with 0, so that the first of a kind is seen as a rise. */
export function countLeads(registry: Registry, deployment: Pick<Deployment, 'channels' | 'visitorMail'>): void {
	countOutcomes(registry);
	const channels = deployment.visitorMail ? [...deployment.channels, deployment.visitorMail] : deployment.channels;
	countDeliveries(registry, new Set(channels.map(({ name }) => name)));
	timeCommits(registry);
}

function countOutcomes(registry: Registry): void {
	const leads = new Counter({
		name: 'leads_total',
		help: 'Submissions that could be read, by what became of them.',
		labelNames: ['outcome'],
		registers: [registry],
	});
	for (const outcome of ['accepted', 'quarantined', 'invalid-lead', 'rate-limited', 'unavailable', 'test'])
		leads.inc({ outcome }, 0);
	judged.subscribe(({ outcome }) => leads.inc({ outcome }));
}

/** What is sent with a test key goes to a channel that no setting names, and is not counted. */
function countDeliveries(registry: Registry, channels: Set<string>): void {
	const deliveries = new Counter({
		name: 'lead_deliveries_total',
		help: 'Deliveries that came to an end. parked: kept until the operator retries it; failed: without a store, so lost for the channel.',
		labelNames: ['channel', 'outcome'],
		registers: [registry],
	});
	const tries = new Counter({
		name: 'lead_delivery_tries_total',
		help: 'Tries to deliver, whatever came of them.',
		labelNames: ['channel'],
		registers: [registry],
	});
	for (const channel of channels) {
		tries.inc({ channel }, 0);
		for (const outcome of ['sent', 'parked', 'failed']) deliveries.inc({ channel, outcome }, 0);
	}
	tried.subscribe(({ channel, outcome }) => {
		if (!channels.has(channel)) return;
		tries.inc({ channel });
		if (outcome !== 'waiting') deliveries.inc({ channel, outcome });
	});
}

function timeCommits(registry: Registry): void {
	const commits = new Histogram({
		name: 'lead_store_commit_duration_seconds',
		help: 'How long the store took to commit: with SQLite what came at the same time, with PostgreSQL a statement.',
		buckets: COMMIT_BUCKETS,
		registers: [registry],
	});
	committed.subscribe(({ took }) => commits.observe(took / 1000));
}
