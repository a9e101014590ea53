import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Lead } from '../../../src/lead/lead.ts';
import type { Message } from '../../../src/lead/message/message.ts';
import { directNotices } from '../../../src/lead/intake/direct-notices.ts';
import { lead } from '../../support/post-lead.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.restoreAllMocks().useRealTimers());

/** Starts notices over a channel that can be down, and records what it received. */
function startNotices() {
	const told: { subject: string; names: string[] }[] = [];
	const channel = { down: false };
	const deliver = (message: Message) => {
		const names = message.rows.filter(({ name }) => name.startsWith('lead-')).map(({ value }) => value.split('\n', 1)[0]!);
		told.push({ subject: message.subject.replace(/^.*?: /, ''), names });
		return Promise.resolve(!channel.down);
	};
	const log: string[] = [];
	const { add, tellDue } = directNotices(deliver, pino({}, { write: (line) => void log.push(line) }));
	return { told, channel, log, tellDue, add: (name: string) => add({ ...lead, name } as Lead) };
}

test('each is told of at once, twenty times within a day; what comes after that is told of together when the day is over', async () => {
	const { told, add } = startNotices();
	for (let turn = 1; turn <= 22; turn += 1) void add(`Visitor ${turn}`);
	expect(told).toHaveLength(20);
	expect(told[19]).toEqual({ subject: '1 possible lead was taken for spam', names: ['Visitor 20'] });
	await vi.advanceTimersByTimeAsync(24 * HOUR - 1);
	expect(told).toHaveLength(20);
	await vi.advanceTimersByTimeAsync(1);
	expect(told[20]).toEqual({ subject: '2 possible leads were taken for spam', names: ['Visitor 21', 'Visitor 22'] });
	void add('Next day');
	expect(told[21]!.names).toEqual(['Next day']);
	await vi.advanceTimersByTimeAsync(48 * HOUR);
	expect(told).toHaveLength(22);
});

test('a function that was frozen tells at its next request of what is due', async () => {
	const { told, add, tellDue } = startNotices();
	for (let turn = 1; turn <= 21; turn += 1) void add(`Visitor ${turn}`);
	await tellDue();
	expect(told).toHaveLength(20);
	vi.spyOn(performance, 'now').mockReturnValue(25 * HOUR);
	await tellDue();
	expect(told[20]!.names).toEqual(['Visitor 21']);
});

test('what no channel took is told of again ten minutes later, before what came since, and only until one has it', async () => {
	const { told, channel, add } = startNotices();
	channel.down = true;
	await add('One');
	await vi.advanceTimersByTimeAsync(MINUTE);
	expect(await add('Two')).toBe(false);
	expect(told).toHaveLength(1);
	channel.down = false;
	await vi.advanceTimersByTimeAsync(9 * MINUTE);
	expect(told[1]).toEqual({ subject: '2 possible leads were taken for spam', names: ['One', 'Two'] });
	await vi.advanceTimersByTimeAsync(48 * HOUR);
	expect(told).toHaveLength(2);
});

test('a notice names the first five hundred, also of those that were told of in vain, and the log says that there are more', async () => {
	const { told, channel, add, log } = startNotices();
	channel.down = true;
	await add('One');
	for (let turn = 2; turn <= 510; turn += 1) await add(`Visitor ${turn}`);
	expect(log.filter((line) => line.includes('More possible leads'))).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(10 * MINUTE);
	await vi.advanceTimersByTimeAsync(10 * MINUTE);
	for (const { subject, names } of told.slice(1)) {
		expect(subject).toBe('510 possible leads were taken for spam');
		expect(names).toEqual(['One', ...Array.from({ length: 499 }, (_, index) => `Visitor ${index + 2}`)]);
	}
	expect(told).toHaveLength(3);
});
