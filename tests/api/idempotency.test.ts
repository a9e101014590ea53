import { describe, expect, test } from 'vitest';
import { idempotencyKeyIn } from '../../src/api/read.ts';
import { openapi } from '../../src/discovery/openapi.ts';
import { issued } from '../discovery/published.ts';
import { leadOf, type LeadValues, postForm, postLead, withoutReference } from '../support/post-lead.ts';
import { expectProblem } from '../support/problem.ts';
import { startBackend, startStoring } from '../support/lead-places.ts';

const [lead, other] = [{ message: 'one' }, { message: 'another' }];
const keyed = (key: string) => ({ 'idempotency-key': key });
const none = { LEAD_STORE: 'none' };

const leads: Record<string, LeadValues> = {
	one: lead,
	another: other,
	ofEve: { ...other, email: 'eve@other.example' },
	inCapitals: { ...lead, email: 'Ana@ClinicaSol.example' },
	cleanedTheSame: { message: '\u200Bone\t', lang: '', unknown: 1 },
	invalid: { email: 'nobody' },
};

/** Leads with their keys (`-`: none), in the order in which they are sent, with the answer to each. */
const sequences: [what: string, sent: string[], arrived: string[]][] = [
	['is one lead with the same key', ['one a 200', 'one a 200', 'one "a" 200', 'cleanedTheSame a 200'], ['one']],
	['stands when another has its key', ['one a 200', 'another a 422', 'one a 200'], ['one']],
	['is another lead with another key', ['one a 200', 'one b 200'], ['one', 'one']],
	['is one lead with a key and then without one', ['one a 200', 'one - 200', 'one b 200', 'one - 200'], ['one', 'one']],
	['may come with a key after it alone', ['one - 200', 'one a 200', 'one - 200', 'another - 200'], ['another', 'one', 'one']],
	['leaves its key free when it is refused', ['invalid a 422', 'one a 200'], ['one']],
	// In another spelling the address is the same, but the lead is not.
	['has a key of its sender’s own', ['one a 200', 'ofEve a 200', 'inCapitals a 422', 'ofEve a 200'], ['one', 'another']],
];

describe.each([
	['a store', {}],
	['no store', none],
])('With %s the same lead', (_, settings) => {
	test.each(sequences)('%s', async (_, sent, arrived) => {
		await using storing = await startStoring(settings);
		const [answers, references] = [new Set<string>(), new Set<string>()];
		for (const [name, key, wanted] of sent.map((line) => line.split(' '))) {
			const response = await postLead(storing.server.url, leads[name!], key === '-' ? {} : keyed(key!));
			expect(response.status).toBe(Number(wanted));
			if (wanted === '422') await expectProblem(response, 422, name === 'invalid' ? 'invalid-lead' : 'idempotency-key-reused');
			else {
				const body = await response.text();
				answers.add(JSON.stringify([withoutReference(body), ...response.headers.keys()]));
				references.add(body);
			}
		}
		expect([answers.size, references.size]).toEqual([1, arrived.length]);
		await expectLeads(storing, arrived);
	});

	test('without a key is one lead, ten times at once, and each is accepted', async () => {
		await using storing = await startStoring(settings);
		const answers = await Promise.all(Array.from({ length: 10 }, () => postLead(storing.server.url, lead)));
		expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
		expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
		await expectLeads(storing, ['one']);
	});
});

test('a form sent again by a reload is one lead, and thanked for again', async () => {
	await using storing = await startStoring();
	const send = () => postForm(storing.server.url, leadOf(lead));
	expect([(await send()).status, (await send()).status]).toEqual([303, 303]);
	await expectLeads(storing, ['one']);
});

const { pattern } = openapi(issued).paths['/api/contact']!['post']!.parameters![0]!.schema;
const longest = 'x'.repeat(255);
const unquoted = ['a', '1,2;3=4', '\\', longest].map((value) => [value, value]);
const quoted = ['a', 'two words', '"\\', longest, '"'.repeat(255)].map((key) => [`"${key.replace(/["\\]/g, '\\$&')}"`, key]);
const malformed = ['', 'two words', 'clé', 'a"b', `${longest}x`];
const misquoted = ['""', '"', '"abc', 'abc"', '"a"b"', '"a\\b"', '"a\\"', '"clé"', '"a"; b=1', '"a", "b"', `"${longest}x"`];
const wrong = [...malformed, ...misquoted].map((value) => [value, null]);
const read = [...unquoted, ...quoted, ...wrong] as [string, string | null][];
test.each(read)('the key %s is read as %s, as it is published', (value, key) => {
	expect(idempotencyKeyIn(new Headers({ 'idempotency-key': value }))).toBe(key);
	expect(new RegExp(pattern!, 'u').test(value)).toBe(key !== null);
});

test('without a store, the next with a key waits for the first, and a lead that nobody took may be sent again', async () => {
	const held = Promise.withResolvers<void>();
	const replies = [{ status: 500, until: held.promise }];
	await using storing = await startStoring(none, (_, before) => replies[before] ?? {});
	const { receiver, server } = storing;
	const send = (fields = lead) => postLead(server.url, fields, keyed('a'));
	const answers = [send(), send()];
	await receiver.received(1);
	await expectProblem(await send(other), 422, 'idempotency-key-reused');
	held.resolve();
	expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503]);
	expect(receiver.requests).toHaveLength(1);
	expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
	expect(receiver.requests).toHaveLength(2);
});

test.each([
	['with a key', 24 * 60, 'a'],
	['without a key', 10, undefined],
])('the same lead %s is one lead for %i minutes', async (_, minutes, idempotencyKey) => {
	await using backend = await startBackend();
	await backend.take(lead, { idempotencyKey });
	using database = backend.database();
	const times = database.prepare('SELECT once_ends_at - received_at AS time FROM lead_entries ORDER BY time DESC').all();
	expect(times.map(({ time }) => Math.round((time as number) / 60_000))).toEqual([minutes, ...(idempotencyKey ? [10] : [])]);
});

type Destination = Pick<Awaited<ReturnType<typeof startStoring>>, 'receiver' | 'server'>;

/** Expects these leads, after a last one: earlier leads were due before it. A second copy of a lead has its id. */
async function expectLeads({ receiver, server }: Destination, messages: string[]): Promise<void> {
	await postLead(server.url, { message: 'last' });
	const leads = () => new Map(receiver.events().map(({ data }) => [data['id'], data['message']]));
	await expect.poll(() => [...leads().values()].toSorted()).toEqual([...messages, 'last'].toSorted());
}
