import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from '@prometheus-io/client';
import type { Backlog } from '../../lead/store/store.ts';

/** In milliseconds: Prometheus gives up after ten seconds, and would get nothing at all then. */
const PATIENCE = 5000;

/** @returns asks the store what is left to do. Never throws: that the store does not answer is a metric too, and nothing else is said of it then */
export function watchBacklog(registry: Registry, ask: () => Promise<Backlog>): () => Promise<void> {
	const registers = [registry];
	const up = new Gauge({ name: 'lead_store_up', help: '1: the store answers; 0: it does not.', registers });
	const kept = new Gauge({
		name: 'leads_kept',
		help: 'Leads in the store that are not delivered, by state. PostgreSQL counts 10000 of each at most.',
		labelNames: ['state'],
		registers,
	});
	const age = new Gauge({
		name: 'leads_oldest_waiting_age_seconds',
		help: 'How long the oldest lead that waits for a channel has waited; 0: none waits.',
		registers,
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
