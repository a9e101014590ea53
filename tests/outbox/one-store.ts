import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, vi } from 'vitest';
import { pino } from 'pino';
import type { Channel } from '../../src/channels/channel.ts';
import type { Message } from '../../src/channels/message.ts';
import type { Tell } from '../../src/outbox/upkeep.ts';
import { openOutbox, type Outbox, type OutboxOptions } from '../../src/outbox/outbox.ts';
import { type LeadStore, openStore } from '../../src/store/store.ts';
import { saved } from '../store/entries.ts';
import { team } from '../support/lead.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

export const [DAY, HOUR] = [86_400_000, 3_600_000];
export const silent = pino({ level: 'silent' });

/** The empty store of the test that runs, and the path of its file. */
export let [store, path] = [] as unknown as [LeadStore, string];
const outboxes: Outbox[] = [];

beforeEach(async () => {
	const folder = await temporaryFolder();
	path = `${folder.path}/leads.db`;
	store = await openStore({ kind: 'sqlite', path });
	return async () => {
		for (const outbox of outboxes.splice(0)) await outbox.stop(100);
		await disposing(store, folder)[Symbol.asyncDispose]();
	};
});
afterEach(() => void vi.useRealTimers());

/** Opens its file, to lock it or to change it behind the store's back. */
export const database = () => new DatabaseSync(path, { timeout: 5000 });

export const setClock = (now: number) => void vi.useFakeTimers({ toFake: ['Date'], now });

/** Saves a lead that came then, and that no channel gets. */
export const lead = (receivedAt: number, entry = {}) => saved(store, { receivedAt, channels: [], ...entry });

/** Lets something tell of its news. @returns whether it has saved a notice */
export async function tells(tell: Tell, channels = ['email']): Promise<boolean> {
	const notices = async () => (await store.list({ limit: 99 })).filter(({ kind }) => kind === 'notice').length;
	const before = await notices();
	await tell({ store, channels, log: silent });
	return (await notices()) > before;
}

/** Opens an outbox, until the test ends. By default it sends all over one channel, and keeps it. */
export function openSending(options: Partial<OutboxOptions> = {}) {
	const sent: Message[] = [];
	const channel: Channel = { name: 'email', send: async (message) => (sent.push(message), { ok: true }) };
	const outbox = openOutbox({ store, channels: [channel], schedule: [], retention: 9e9, team, log: silent, ...options });
	outboxes.push(outbox);
	return { ...outbox, sent };
}
