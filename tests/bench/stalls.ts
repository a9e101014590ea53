import { randomUUID } from 'node:crypto';
import { leadFields } from '../../src/lead/lead.ts';
import { formOf, lead } from '../support/post-lead.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { startOurs } from './contender.ts';
import { startInstantReceiver } from './http.ts';

/** In bytes of a body: what the server still reads. */
const LARGE = 60_000;
const LEAD = 'beside a lead';

type Body = [name: string, body: string, type: string];
const json = (name: string, body: string): Body => [name, body, 'application/json'];
const form = (name: string, body: string): Body => [name, body, 'application/x-www-form-urlencoded'];

/** Measures how long the health check waits beside the body that holds it up most: one careless expression takes seconds. */
export async function stalls(): Promise<Comparison[]> {
	await using receiver = await startInstantReceiver();
	// Without a store, a lead is not answered before its messages are made.
	await using server = await startOurs({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const usual = json(LEAD, JSON.stringify(lead));
	let [worst, longest] = [usual, 0];
	for (let warm = 0; warm < 100; warm += 1) await waitBeside(server.url, usual);
	for (const body of bodies()) {
		// Anything may hold up a busy machine once: what the body holds up is held up each time.
		let waited = Infinity;
		for (let turn = 0; turn < 3; turn += 1) waited = Math.min(waited, await waitBeside(server.url, body));
		if (waited > longest) [worst, longest] = [body, waited];
	}
	const values = await inTurns({
		[LEAD]: () => waitBeside(server.url, usual),
		[`${OURS}, beside ${worst[0]}`]: () => waitBeside(server.url, worst),
	});
	return [{ what: 'GET /api/status, the slowest', unit: 'ms', target: 50, values }];
}

/** Returns how long the slowest status takes, in milliseconds, that is asked for while a body is sent and answered. */
async function waitBeside(url: string, [, body, type]: Body): Promise<number> {
	// Each time it is another lead: one that was sent before costs nothing.
	const headers = { 'content-type': type, accept: 'text/html', 'idempotency-key': randomUUID() };
	const sent = fetch(`${url}/api/contact`, { method: 'POST', body, headers, redirect: 'manual' });
	const answered = sent.then((answer) => answer.arrayBuffer()).then(Boolean);
	let longest = 0;
	do {
		const start = performance.now();
		await (await fetch(`${url}/api/status`)).arrayBuffer();
		longest = Math.max(longest, performance.now() - start);
	} while (!(await Promise.race([answered, false])));
	return longest;
}

/** Texts that take long in careless code: to compose, to look around, to backtrack, to cut, to escape, to find links in. */
const fillings = [...'aé -\u00A0\uD800\u{1F1E6}\u{16D68}\u{E0041}\u0301~>`[:\n']
	.concat('\n ', '-a', 'a.', 'a@', '<@', '](', '1.\n', '<&"\\', '葛\u{E0100}', '👩\u200D', 'م\u200C')
	.concat('\u0301\u0323', `a${'\u0301\u0323'.repeat(15)}`, 'https://a.b/', '[url=', '<a ', '.com ', '\uFDFA');

function bodies(): Body[] {
	const ofFields = leadFields.flatMap(({ name, maxLength = 1 }) =>
		fillings.flatMap((filling) =>
			[maxLength, 4 * maxLength, LARGE].flatMap((length) => {
				const bytes = Buffer.byteLength(encodeURIComponent(filling.toWellFormed()));
				const text = `a@${filling.repeat(Math.max(1, Math.min(LARGE / bytes, length / filling.length) - 2))}`;
				const title = `${JSON.stringify(filling)} in ${name}`;
				const values = { ...lead, [name]: text };
				return [json(title, JSON.stringify(values)), form(`${title} of a form`, String(formOf(values)))];
			}),
		),
	);
	const half = LARGE / 2;
	const types = [';', ';a=', ';a="'].map((parameter) => `application/json${parameter}${' '.repeat(15_000)}x`);
	const spaced = types.map((type): Body => ['white space in a media type', '{}', type]);
	return [
		...ofFields,
		...spaced,
		json('arrays in arrays', `{"a":{"b":0,"c":0},"d":${'['.repeat(half)}${']'.repeat(half)}}`),
		json('arrays that never end', '['.repeat(LARGE)),
		json('objects in objects', `${'{"":'.repeat(LARGE / 5)}0${'}'.repeat(LARGE / 5)}`),
		json('members', `{${Array.from({ length: LARGE / 10 }, (_, index) => `"${index}":0`).join()}}`),
		json('quotes', JSON.stringify({ a: { b: 0, c: 0 }, d: '":'.repeat(LARGE / 4) })),
		json('white space', `{"a":{"b":"\\"${' '.repeat(LARGE)}"}}`),
		form('one name', 'a&'.repeat(half)),
		form('half escapes', '%&'.repeat(half)),
	];
}
