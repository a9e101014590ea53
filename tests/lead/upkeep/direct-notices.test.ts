import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Lead } from '../../../src/lead/lead.ts';
import type { Message } from '../../../src/lead/delivery/message.ts';
import { directNotices } from '../../../src/lead/upkeep/direct-notices.ts';
import { lead } from '../../support/post-lead.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Notices over a channel that is there or not, and what it was told. */
function startNotices() {
	const told: { subject: string; names: string[] }[] = [];
	const channel = { down: false };
	const deliver = (message: Message) => {
		const names = message.rows.filter(({ name }) => name.startsWith('lead-')).map(({ value }) => value.split('\n', 1)[0]!);
		told.push({ subject: message.subject.replace(/^.*?: /, ''), names });
		return Promise.resolve(!channel.down);
	};
	const { add, stop } = directNotices(deliver, pino({ level: 'silent' }));
	return { told, channel, stop, add: (name: string) => add({ ...lead, name } as Lead) };
}

test('what comes within a day of a notice is told of when that is over, and what comes after it at once', async () => {
	const { told, add } = startNotices();
	add('One');
	expect(told).toEqual([{ subject: '1 possible lead was taken for spam', names: ['One'] }]);
	for (const name of ['Two', 'Three']) add(name);
	await vi.advanceTimersByTimeAsync(24 * HOUR - 1);
	expect(told).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(told[1]).toEqual({ subject: '2 possible leads were taken for spam', names: ['Two', 'Three'] });
	await vi.advanceTimersByTimeAsync(48 * HOUR);
	expect(told).toHaveLength(2);
	add('Four');
	expect(told[2]!.names).toEqual(['Four']);
});

test('what no channel took is told of again ten minutes later, before what came since, and only until one has it', async () => {
	const { told, channel, add } = startNotices();
	channel.down = true;
	add('One');
	await vi.advanceTimersByTimeAsync(MINUTE);
	add('Two');
	expect(told).toHaveLength(1);
	channel.down = false;
	await vi.advanceTimersByTimeAsync(9 * MINUTE);
	expect(told[1]).toEqual({ subject: '2 possible leads were taken for spam', names: ['One', 'Two'] });
	await vi.advanceTimersByTimeAsync(48 * HOUR);
	expect(told).toHaveLength(2);
});

test('a notice shows the first twenty, also of those that were told of in vain', async () => {
	const { told, channel, add } = startNotices();
	channel.down = true;
	add('One');
	for (let turn = 2; turn <= 30; turn += 1) add(`Visitor ${turn}`);
	await vi.advanceTimersByTimeAsync(10 * MINUTE);
	await vi.advanceTimersByTimeAsync(10 * MINUTE);
	for (const { subject, names } of told.slice(1)) {
		expect(subject).toBe('30 possible leads were taken for spam');
		expect(names).toEqual(['One', ...Array.from({ length: 19 }, (_, index) => `Visitor ${index + 2}`)]);
	}
	expect(told).toHaveLength(3);
});

test('a stop tells of what nobody was told of, and of nothing where there is none', async () => {
	const { told, add, stop } = startNotices();
	await stop();
	expect(told).toEqual([]);
	add('One');
	await stop();
	expect(told).toHaveLength(1);
	add('Two');
	await stop();
	expect(told[1]!.names).toEqual(['Two']);
});
