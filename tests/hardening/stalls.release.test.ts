import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { evidenceOf } from '../../src/lead/spam/signal.ts';
import * as signals from '../../src/lead/spam/signals.ts';
import { traitsOf } from '../../src/lead/spam/traits.ts';
import * as chat from '../lead/channels/chat/index.ts';
import { formOf, lead, type LeadValues } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

/** How many times as long as beside an ordinary lead the status may take: a stall is hundreds of times that. */
const MOST = 50;
/** A busy machine may hold anybody up: a stall is there each time. */
const TRIES = 5;
/** In bytes of a body: what the server still reads. */
const LARGE = 60_000;

const receiver = shared(() => startWebhookReceiver());
const server = shared(() => startServer({ LEAD_WEBHOOK_URL: receiver().url, LEAD_RATE_LIMIT: 'off' }));

/** How a body is written, and the media type that says so. */
interface Encoding {
	type: string;
	encode(fields: LeadValues): string;
}
const json: Encoding = { type: 'application/json', encode: JSON.stringify };
const form: Encoding = {
	type: 'application/x-www-form-urlencoded',
	encode: (fields) => formOf(fields).toString(),
};

/** Texts that take long in careless code: to compose, to look around, to backtrack, to cut. */
const fillings = [...'aé -\u00A0\uD800\u{1F1E6}\u{16D68}\u{E0041}\u0301']
	.concat('\n ', '-a', 'a.', 'a@', '<&"\\', '葛\u{E0100}', '👩\u200D', 'م\u200C')
	.concat('\u0301\u0323', `a${'\u0301\u0323'.repeat(15)}`)
	.map((filling) => [filling])
	.concat([['\u0301', '\u0323']]);

describe.each(leadFields.map(({ name, maxLength = 1 }) => [name, maxLength] as const))('whatever stands in %s', (name, limit) => {
	test.each([
		['a program', json, {}],
		['a program, with the honeypot filled', json, { website: 'x' }],
		['the form', form, {}],
		['the form, with the honeypot filled', form, { website: 'x' }],
	])('from %s, holds nobody up', async (_case, encoding, fields) => {
		const texts = fillings.flatMap((filling) => [limit, 4 * limit, LARGE].map((length) => filled(filling, length, encoding)));
		const bodies = texts.map((text) => encoding.encode({ ...lead, ...fields, [name]: text }));
		await expectNoStall(server().url, bodies, encoding);
	});
});

/** The characters that chat services interpret, which a message to them is searched for. */
const syntax = ['\n', ' \n', '1.\n', '- ', '> ', '~', '<@', '&', '`', '[', '](', ':a', 'a@', '\\'];

test.each(Object.values(chat).map((service) => [service.format.name, service] as const))(
	'whatever stands in a message to %s holds nobody up',
	async (name, { path, success }) => {
		await using receiver = await startWebhookReceiver(success);
		const target = { LEAD_WEBHOOK_URL: new URL(path, receiver.url).href, LEAD_WEBHOOK_FORMAT: name };
		// Without a store, a lead is not answered before it is delivered.
		await using delivering = await startServer({ ...target, LEAD_STORE: 'none', LEAD_RATE_LIMIT: 'off' });
		const messages = syntax.map((mark) => `x${mark.repeat(5000)}`.slice(0, 4999).concat('x'));
		const bodies = messages.map((message) => json.encode({ ...lead, message }));
		await expectNoStall(delivering.url, bodies, json);
	},
);

describe('a body of', () => {
	const many = (make: (index: number) => string, between: string) => {
		const parts = Array.from({ length: LARGE }, (_, index) => make(index))
			.join(between)
			.slice(0, LARGE);
		return parts.slice(0, parts.lastIndexOf(between));
	};
	test.each([
		['arrays in arrays', json, `{"a":{"b":0,"c":0},"d":${'['.repeat(LARGE / 2)}${']'.repeat(LARGE / 2)}}`],
		['objects in objects', json, `${'{"":'.repeat(LARGE / 5)}0${'}'.repeat(LARGE / 5)}`],
		['arrays that never end', json, '['.repeat(LARGE)],
		['members', json, `{${many((index) => `"${index}":0`, ',')}}`],
		['texts', json, `{"a":{"b":0,"c":0},"d":[${many(() => '""', ',')}]}`],
		['quotes', json, JSON.stringify({ a: { b: 0, c: 0 }, d: '":'.repeat(LARGE / 4) })],
		['white space', json, `{"a":{"b":"\\"${' '.repeat(LARGE)}"}}`],
		['names', form, many(String, '&')],
		['one name', form, many(() => 'a', '&')],
		['half escapes', form, many(() => '%', '&')],
	])('%s holds nobody up', async (_case, encoding, body) => {
		await expectNoStall(server().url, [body, body, body], encoding);
	});
});

test.each(['', ';', ';a=', ';a="'])('white space in a media type, behind json%s, holds nobody up', async (parameter) => {
	const spaced = { ...json, type: `${json.type}${parameter}${' '.repeat(15_000)}x` };
	await expectNoStall(server().url, ['{}'], json, spaced);
});

/** Texts that take long in careless code that looks for links, markup, words and random letters. */
const looksLikeSpam = [
	...'a1.<[@- \n',
	'Aa',
	'a.',
	'https://a.b/',
	'[url=',
	'href="',
	'<a ',
	'.com ',
	'reply no ',
	'book a call ',
	'\uFDFA',
];

test.each(looksLikeSpam)('no signal of spam takes long over 64 KB of %j, nor does what a message is known by', (filling) => {
	const text = filling.repeat(65_536 / filling.length);
	const fields = { name: text, clinic: text, email: text, country: text, message: text };
	const usual = costOf(() => JSON.stringify(fields));
	// Five, of which none is like it.
	const letters = Array.from(randomBytes(4000), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
	const alike = [1, 2, 3, 4, 5].map((id) => ({ email: `${id}@gmail.com`, message: text.slice(0, 1000) + letters }));
	const evidence = evidenceOf(fields, { alike });
	for (const { look } of Object.values(signals)) expect(costOf(() => look(evidence)) / usual).toBeLessThan(MOST);
	for (const work of [() => evidenceOf(fields), () => traitsOf(secret, fields)]) expect(costOf(work) / usual).toBeLessThan(MOST);
});

test.each([
	['marks in disorder, which take quadratic time to order', '\u0315\u0300\u05AE'],
	['digits, with which many phrases begin', '1'],
])('a message of %s takes little longer to judge than one of letters', (_case, filling) => {
	const costs = [filling, 'letters '].map((unit) => {
		const [short, long] = [2000, 5000].map((length) => ({ message: unit.repeat(length).slice(0, length) }));
		return costOf(() => [traitsOf(secret, long!), signals.pitch.look(evidenceOf(short!))]);
	});
	expect(costs[0]! / costs[1]!).toBeLessThan(3);
});

const secret = createSecretKey(Buffer.alloc(32));

/** The shortest of a few times that work takes. */
function costOf(work: () => unknown): number {
	const times = Array.from({ length: TRIES }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return Math.min(...times);
}

/** A text of this length in code units, or of as many as a body may hold: of each unit of the filling as many, one after the other. */
function filled(filling: string[], length: number, { encode }: Encoding): string {
	const text = filling.join('');
	const bytes = Buffer.byteLength(encode({ text })) - Buffer.byteLength(encode({ text: '' }));
	const times = Math.max(1, Math.floor(Math.min(LARGE / bytes, (length - 2) / text.length)));
	return `a@${filling.map((unit) => unit.repeat(times)).join('')}`;
}

/** Nor does the status take long beside any of these bodies, which may say to be encoded in another way than an ordinary lead. */
async function expectNoStall(url: string, bodies: string[], encoding: Encoding, said = encoding): Promise<void> {
	let usual = Infinity;
	for (let tries = 0; tries < 3 * TRIES; tries += 1)
		usual = Math.min(usual, await statusBeside(url, encoding.encode(lead), encoding));
	for (const body of bodies) {
		let shortest = Infinity;
		for (let tries = 0; tries < TRIES && shortest > usual * MOST; tries += 1)
			shortest = Math.min(shortest, await statusBeside(url, body, said));
		expect(shortest / usual).toBeLessThan(MOST);
	}
}

/** How long the slowest status takes that is asked for while this body is sent and answered. */
async function statusBeside(url: string, body: string, { type }: Encoding): Promise<number> {
	let longest = 0;
	const answered = send(url, body, type).then(() => true);
	do {
		const start = performance.now();
		await (await fetch(`${url}/api/status`)).arrayBuffer();
		longest = Math.max(longest, performance.now() - start);
	} while (!(await Promise.race([answered, false])));
	return longest;
}

async function send(url: string, body: string, type: string): Promise<void> {
	// Each time it is another lead: one that was sent before costs nothing.
	const headers = { 'content-type': type, accept: 'text/html', 'idempotency-key': randomUUID() };
	const answer = await fetch(`${url}/api/contact`, { method: 'POST', body, headers, redirect: 'manual' });
	await answer.arrayBuffer();
	expect([200, 303, 400, 415, 422]).toContain(answer.status);
}
