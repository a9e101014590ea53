import { randomUUID } from 'node:crypto';
import { formOf, lead } from '../support/post-lead.ts';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { startOurs } from './contender.ts';
import { startInstantReceiver } from './http.ts';

/** In bytes of a body: what the server still reads. */
const LARGE = 60_000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const LEAD = 'beside a lead';

interface Body {
	name: string;
	type: string;
	body: string;
}

/** Measures how long the health check waits beside the body that holds it up most: one careless expression takes seconds. */
export async function stalls(): Promise<Comparison[]> {
	await using receiver = await startInstantReceiver();
	// Without a store, a lead is not answered before its messages are made.
	await using server = await startOurs({ LEAD_STORE: 'none', LEAD_WEBHOOK_URL: receiver.url });
	const usual: Body = { name: LEAD, type: JSON_TYPE, body: JSON.stringify(lead) };
	let worst = usual;
	let longest = 0;
	const described = (await (await fetch(`${server.url}/openapi.json`)).json()) as Description;
	for (let warm = 0; warm < 100; warm += 1) await waitBeside(server.url, usual);
	for (const body of bodies(described.components.schemas.Lead.properties)) {
		// Anything may hold up a busy machine once: what the body holds up is held up each time.
		let waited = Infinity;
		for (let turn = 0; turn < 3; turn += 1) waited = Math.min(waited, await waitBeside(server.url, body));
		if (waited > longest) [worst, longest] = [body, waited];
	}
	const values = await inTurns({
		[LEAD]: () => waitBeside(server.url, usual),
		[OURS]: () => waitBeside(server.url, worst),
	});
	const labels = { [OURS]: `${OURS}, beside ${worst.name}` };
	return [{ what: 'GET /api/status, the slowest', unit: 'ms', yardstick: LEAD, target: { most: 50 }, values, labels }];
}

/** Returns how long the slowest status takes, in milliseconds, that is asked for while a body is sent and answered. */
async function waitBeside(url: string, { type, body }: Body): Promise<number> {
	// Each time it is another lead: one that was sent before costs nothing.
	const headers = { 'content-type': type, accept: 'text/html', 'idempotency-key': randomUUID() };
	const answered = fetch(`${url}/api/contact`, { method: 'POST', body, headers, redirect: 'manual' })
		.then((answer) => answer.arrayBuffer())
		.then(() => true);
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

type Fields = Record<string, { maxLength?: number }>;

interface Description {
	components: { schemas: { Lead: { properties: Fields } } };
}

function bodies(fields: Fields): Body[] {
	const ofFields = Object.entries(fields).flatMap(([name, { maxLength = 1 }]) =>
		fillings.flatMap((filling) =>
			[maxLength, 4 * maxLength, LARGE].flatMap((length) => {
				const bytes = Buffer.byteLength(encodeURIComponent(filling.toWellFormed()));
				const text = `a@${filling.repeat(Math.max(1, Math.min(LARGE / bytes, length / filling.length) - 2))}`;
				const title = `${JSON.stringify(filling)} in ${name}`;
				return [
					{ name: title, type: JSON_TYPE, body: JSON.stringify({ ...lead, [name]: text }) },
					{ name: `${title} of a form`, type: FORM_TYPE, body: String(formOf({ ...lead, [name]: text })) },
				];
			}),
		),
	);
	const half = LARGE / 2;
	const json = {
		'arrays in arrays': `{"a":{"b":0,"c":0},"d":${'['.repeat(half)}${']'.repeat(half)}}`,
		'arrays that never end': '['.repeat(LARGE),
		'objects in objects': `${'{"":'.repeat(LARGE / 5)}0${'}'.repeat(LARGE / 5)}`,
		members: `{${Array.from({ length: LARGE / 10 }, (_, index) => `"${index}":0`).join()}}`,
		quotes: JSON.stringify({ a: { b: 0, c: 0 }, d: '":'.repeat(LARGE / 4) }),
		'white space': `{"a":{"b":"\\"${' '.repeat(LARGE)}"}}`,
	};
	const form = { 'one name': 'a&'.repeat(half), 'half escapes': '%&'.repeat(half) };
	const ofType = (type: string, texts: Record<string, string>) =>
		Object.entries(texts).map(([name, body]) => ({ name, type, body }));
	const spaced = [';', ';a=', ';a="'].map((parameter) => `${JSON_TYPE}${parameter}${' '.repeat(15_000)}x`);
	const ofSpace = spaced.flatMap((type) => ofType(type, { 'white space in a media type': '{}' }));
	return [...ofFields, ...ofType(JSON_TYPE, json), ...ofType(FORM_TYPE, form), ...ofSpace];
}
