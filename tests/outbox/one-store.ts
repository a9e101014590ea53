import { afterEach, beforeEach, vi } from 'vitest';
import { pino } from 'pino';
import type { Message } from '../../src/channels/message.ts';
import { openOutbox, type OutboxOptions } from '../../src/outbox/outbox.ts';
import { type LeadStore, openStore } from '../../src/store/store.ts';
import { saved } from '../store/entries.ts';
import { team } from '../support/lead.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

export const [DAY, HOUR] = [86_400_000, 3_600_000];
export const silent = pino({ level: 'silent' });

/** The empty store of the test that runs. */
export let store: LeadStore;

beforeEach(async () => {
	const folder = await temporaryFolder();
	store = await openStore({ kind: 'sqlite', path: `${folder.path}/leads.db` });
	return disposing(store, folder)[Symbol.asyncDispose];
});
afterEach(() => void vi.useRealTimers());

/** Sets the clock to a time, until the test ends. */
export const setClock = (now: number) => void vi.useFakeTimers({ toFake: ['Date'], now });

/** Saves a lead that came then, and that no channel gets. */
export const lead = (receivedAt: number, entry = {}) => saved(store, { receivedAt, channels: [], ...entry });

/** Opens an outbox that keeps what it sends. */
export function openSending(options: Partial<OutboxOptions> = {}) {
	const sent: Message[] = [];
	const channel = { name: 'email', send: async (message: Message) => (sent.push(message), { ok: true as const }) };
	const outbox = openOutbox({ store, channels: [channel], schedule: [], retention: 9e9, team, log: silent, ...options });
	return { ...outbox, sent };
}
