import { createServer } from 'node:net';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { outageLog } from '../../src/store/database.ts';
import { openStore, StoreError } from '../../src/store/store.ts';
import { openSending, store } from '../outbox/one-store.ts';
import { receivedLead } from '../support/lead.ts';
import { listening } from '../support/listening.ts';
import { saved } from './entries.ts';

function levelsOf() {
	const levels: unknown[] = [];
	const write = (line: string) => void levels.push(pino.levels.labels[(JSON.parse(line) as { level: number }).level]);
	return { levels, log: pino({}, { write }) };
}

test('a PostgreSQL that takes a connection and says nothing is waited for once', async () => {
	let connections = 0;
	await using silent = await listening(createServer(() => (connections += 1)));
	const opening = openStore({ kind: 'postgres', url: `postgres://leads@${silent.address}/leads` });
	await expect(opening).rejects.toThrow(StoreError);
	expect(connections).toBe(1);
});

test('an outage of the store is said once, however many channels meet it how often, and its end is said once', async () => {
	const claim = vi.spyOn(store, 'claim').mockRejectedValue(new StoreError('down'));
	const { levels, log } = levelsOf();
	const sent: string[] = [];
	const names = ['email', 'slack', 'teams'];
	const channels = names.map((name) => ({ name, send: async () => (sent.push(name), { ok: true as const }) }));
	const outbox = openSending({ channels, log });
	await saved(store, { payload: JSON.stringify(receivedLead()), channels: names });
	await expect.poll(() => claim.mock.calls.length).toBeGreaterThan(2 * names.length);
	expect(levels).toEqual(['error']);
	claim.mockRestore();
	await expect.poll(() => sent.toSorted()).toEqual(names);
	await outbox.stop();
	expect(levels.slice(0, 2)).toEqual(['error', 'info']);
	expect(levels.filter((level) => level === 'error')).toHaveLength(1);
});

test('an outage that goes on is said again each minute, one that comes and goes no more often, and its end once nothing fails', async () => {
	vi.useFakeTimers({ toFake: ['performance'] });
	const { levels, log } = levelsOf();
	const watch = outageLog('It does not work.', 'It works again.');
	const down = new StoreError('down');
	const goesOn = () => expect(watch(log, () => Promise.reject(down))).rejects.toBe(down);
	const isOver = async () => expect(await watch(log, async () => 7)).toBe(7);
	await isOver();
	expect(levels).toEqual([]);
	for (let second = 0; second < 120; second += 1) {
		await goesOn();
		vi.advanceTimersByTime(1000);
	}
	expect(levels.splice(0)).toEqual(['error', 'error']);
	for (let second = 0; second < 60; second += 1) {
		await goesOn();
		await isOver();
		vi.advanceTimersByTime(1000);
	}
	expect(levels.splice(0)).toEqual(['error']);
	await isOver();
	expect(levels).toEqual(['info']);
});
