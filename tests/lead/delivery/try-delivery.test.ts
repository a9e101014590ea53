import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { tryDelivery, type TryOptions } from '../../../src/lead/delivery/try-delivery.ts';
import { deliveryTried } from '../../../src/lead/events.ts';
import type { SendResult } from '../../../src/lead/channels/channel.ts';
import { type LeadStore, StoreError } from '../../../src/lead/store/store.ts';
import { receivedLead } from '../../support/lead.ts';

const outcomes: string[] = [];
deliveryTried.subscribe(({ outcome }) => void outcomes.push(outcome));

/** Tries a delivery whose result the store saves at its second try. @param stops whether the process stops before that */
async function tryWith(sent: SendResult, stops: boolean) {
	outcomes.length = 0;
	const mark = vi.fn<LeadStore['mark']>().mockRejectedValueOnce(new StoreError('down')).mockResolvedValue(true);
	const store = { mark } as Partial<LeadStore> as LeadStore;
	const channel = { name: 'email', send: vi.fn(() => Promise.resolve(sent)) };
	const incidents = { failed: vi.fn(() => Promise.resolve(true)), keyOf: () => 'trouble' };
	const [onDelivered, nudgeAll] = [vi.fn(), vi.fn()];
	const stopping = stops ? AbortSignal.abort() : new AbortController().signal;
	const cutOff = new AbortController().signal;
	const team = { owner: 'one', schedule: [60], language: 'en', log: pino({ level: 'silent' }) };
	const options: TryOptions = { channel, store, incidents, onDelivered, nudgeAll, stopping, cutOff, ...team };
	const [{ id }, payload] = [receivedLead(), JSON.stringify(receivedLead())];
	await tryDelivery({ id, channel: 'email', kind: 'lead', payload, spam: undefined, tries: 2 }, options);
	const calls = { sends: channel.send, marks: mark, delivered: onDelivered, failed: incidents.failed };
	expect(mark.mock.lastCall![1]).toMatchObject(sent.ok ? { state: 'sent', ends: 'trouble' } : { state: 'parked' });
	return { outcomes, ...Object.fromEntries(Object.entries(calls).map(([name, { mock }]) => [name, mock.calls.length])) };
}

test('a delivery whose result the store cannot save is made once, and counts as made', async () => {
	const made = { outcomes: ['sent'], sends: 1, delivered: 1, failed: 0 };
	expect(await tryWith({ ok: true }, true)).toEqual({ ...made, marks: 1 });
	expect(await tryWith({ ok: true }, false)).toEqual({ ...made, marks: 2 });
});

test('a failure that the store cannot save is nobody’s news', async () => {
	const failed = { ok: false, permanent: false, reason: '500' } as const;
	expect(await tryWith(failed, true)).toEqual({ outcomes: ['waiting'], sends: 1, marks: 1, delivered: 0, failed: 0 });
});
