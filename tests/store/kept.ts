import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, vi } from 'vitest';
import { keyHash, keyId } from '../../src/api/authentication.ts';
import { contentOf } from '../../src/channels/message.ts';
import { actionLinkIn } from '../../src/lead/action.ts';
import { leadSchema } from '../../src/lead/lead.ts';
import { traitsToRecall } from '../../src/outbox/traits.ts';
import { isActive } from '../../src/store/key-store.ts';
import { type LeadStore, type StorePlace } from '../../src/store/store.ts';
import { acceptInto, acceptNew } from '../support/lead-places.ts';
import { askIn } from './ask.ts';
import { claim, newEntry } from './entries.ts';

/**
 * The stores in `kept/`, by kind: the key that the commands of version d0fdedc9 issued in it, a link in a mail of its server, and when that
 * server stopped. Its leads came by HTTP, to a webhook that answered 200, 410 or 503, and one was deleted at once. `leads spam` trained one.
 * SQLite's file is as the server closed it, PostgreSQL's as `pg_dump --inserts` printed it; compressed, Git takes both for binary.
 */
const made = {
	sqlite: {
		key: 'anteroom_I5ThgD5LrZZCwXNyIiaex8tFXPEfro041Ujh',
		link: '/lead/taken?id=01a22362-9883-7176-ba5b-3a2235463725&end=1798481993&sign=_9inYQwuHN0C3n8AGDdS8T7i5K19W2D0WBjm2Jtn2Yw',
		stopped: 1_795_889_997_244,
	},
	postgres: {
		key: 'anteroom_ISbfyEqFhgKwxh9sjTROhCPNfzarT34XMU6H',
		link: '/lead/taken?id=01a22362-b3f3-731e-94e8-5c5d727d2163&end=1798482000&sign=lA8g9hMXgYy_oweQR5rwk-5VvW5NROCcpYoji2rjG1E',
		stopped: 1_795_890_005_569,
	},
};

const read = (name: string) => gunzipSync(readFileSync(`tests/store/kept/${name}.gz`));

/** Puts the store of its kind at a place, as if its server had stopped just now, and changes it by `statements`. */
export async function restoreKept(place: StorePlace, ...statements: string[]): Promise<void> {
	const later = Date.now() - made[place.kind].stopped;
	const times = {
		lead_entries: ['received_at', 'told_at', 'once_ends_at'],
		lead_deliveries: ['since', 'due_at', 'sent_at'],
		lead_traits: ['learnt_at'],
		api_keys: ['made_at', 'ends_at'],
	};
	const shift = Object.entries(times).map(
		([table, columns]) => `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} + ${later}`).join(', ')}`,
	);
	if (place.kind === 'sqlite') writeFileSync(place.path, read('d0fdedc9.db'));
	else await askIn(place, read('d0fdedc9.sql').toString());
	for (const statement of [...shift, ...statements]) await askIn(place, statement);
}

/** Expects that all of a kept store is there, and works. @param kind of the kept store, wherever it is now */
export async function expectKept(store: LeadStore, kind: StorePlace['kind']): Promise<void> {
	const { key, link, stopped } = made[kind];
	const entries = await store.list({ limit: 99 });
	const leads = entries.filter((entry) => entry.kind === 'lead').map((entry) => ({ ...entry, ...contentOf(entry) }));
	const statesOf = (email: string) =>
		leads
			.filter(({ lead }) => lead?.email === email)
			.map(({ state, deliveries }) => [state, ...deliveries.map((delivery) => `${delivery.state} ${delivery.tries}`)]);
	expect([entries.length, leads.length]).toEqual([8, 6]);
	const states = {
		'ana@clinicasol': ['delivered', 'sent 1', 'sent 1'],
		'eva@parked': ['parked', 'parked 1', 'sent 1'],
		'rui@waiting': ['waiting', 'waiting 1', 'sent 1'],
		'spam@held': ['quarantined'],
		'robot@hit': ['quarantined'],
		'seller@trained': ['delivered', 'sent 1', 'sent 1'],
	};
	for (const [name, expected] of Object.entries(states)) expect(statesOf(`${name}.example`)).toEqual([expected]);

	const hash = keyHash(store.secret, key);
	const apiKey = (await store.keys.find(keyId(hash)))!;
	expect([apiKey, isActive(apiKey)]).toMatchObject([{ hash, leads: 1, owner: { email: 'ana@clinicasol.example' } }, true]);

	const { id } = leads.find(({ lead }) => lead?.email === 'ana@clinicasol.example')!;
	vi.useFakeTimers({ toFake: ['Date'], now: stopped });
	onTestFinished(() => void vi.useRealTimers());
	expect(actionLinkIn(link, store.secret)).toMatchObject({ action: 'taken', id });
	vi.useRealTimers();

	const lead = { name: 'Ana Ruiz', clinic: 'Clínica Sol', consent: 'on' };
	const like = { ...lead, email: 'other@clinicasol.example', message: 'https://shop.trained.example' };
	expect(await store.recall(traitsToRecall(store.secret, like))).toBe('spam');

	const send = (email: string, idempotencyKey: string, name = 'Ana Ruiz') =>
		acceptNew(
			leadSchema.parse({ ...lead, name, email }),
			{ idempotencyKey, apiKey: email.startsWith('ana') ? apiKey : undefined },
			acceptInto(store, [{ name: 'email', send: async () => ({ ok: true }) }]),
		);
	for (const [person, idempotencyKey] of Object.entries({ ana: 'delivered', gone: 'gone' })) {
		const email = `${person}@clinicasol.example`;
		expect(await send(email, idempotencyKey)).toMatchObject({ result: 'accepted' });
		expect(await send(email, idempotencyKey, 'Eva Ruiz')).toEqual({ result: 'idempotency-key-reused' });
	}
	expect(await store.list({ limit: 99 })).toEqual(entries);
}

/** Expects that a kept store takes up work again: delivers, keeps what is new, deletes what is old, and erases. */
export async function expectAlive(store: LeadStore): Promise<void> {
	const fresh = newEntry({ email: 'eva@parked.example' });
	expect(await store.insert(fresh)).toMatchObject({ outcome: 'inserted' });
	expect(await claim(store)).toMatchObject([{ id: fresh.id, payload: fresh.payload }]);
	expect(await store.recordResult({ id: fresh.id, channel: 'email', owner: 'one' }, { state: 'sent' })).toBe(true);
	expect(await store.retry('stuck', ['email'])).toMatchObject({ due: 1 });
	expect(await store.erase('eva@parked.example')).toMatchObject({ entries: 2, keys: 0 });
	expect(await store.purge({ age: 0, decisionTime: 0, cap: 9, batch: 99 })).toMatchObject({ aged: 6 });
	expect(await store.erase('ana@clinicasol.example')).toMatchObject({ entries: 0, keys: 1 });
	expect(await store.count()).toMatchObject({ waiting: 1, parked: 0, delivered: 0 });
	expect(await store.scrub()).toBe(true);
}
