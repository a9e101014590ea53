import { pino } from 'pino';
import { openOutbox, type OutboxOptions } from '../../src/outbox/outbox.ts';
import { quarantine, type Sending, take, type TakeDeps } from '../../src/api/take.ts';
import type { Lead } from '../../src/lead/lead.ts';
import { openStore, type StorePlace } from '../../src/store/store.ts';
import { team } from './lead.ts';

export interface TakingOptions extends Partial<Omit<OutboxOptions, 'store' | 'channels'>>, Pick<OutboxOptions, 'channels'> {
	store: StorePlace;
}

/** Opens what takes leads and delivers them, with channels of a test's own. */
export async function openTaking({ store: place, ...options }: TakingOptions) {
	const log = options.log ?? pino({ level: 'silent' });
	const store = await openStore(place);
	if (place.kind === 'sqlite') await store.endLeases();
	const defaults = { schedule: [1], retention: 86_400, team, scrubs: place.kind === 'sqlite' };
	const outbox = await openOutbox({ ...defaults, ...options, store, log });
	const deps: TakeDeps = { channels: options.channels, store, outbox, secret: store.secret, team, spam: undefined, log };
	return {
		store,
		take: (lead: Lead, sending: Sending = {}) => take(lead, sending, deps),
		quarantine: (submission: Record<string, unknown>) => quarantine(submission, {}, deps),
		tryDue: () => outbox.tryDue(),
		async stop(grace?: number) {
			await outbox.stop(grace);
			await store[Symbol.asyncDispose]();
		},
	};
}
