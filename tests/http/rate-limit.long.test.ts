import { expect, test } from 'vitest';
import { startStoring } from '../support/lead-places.ts';
import { leadOf, type LeadValues, newLead, postBody } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';

const postFor = (address: string, url: string, body: object) => postBody(url, body, { 'x-forwarded-for': address });

test('mistyped leads use up no leads, there may be ten times as many requests as leads, and a forged address changes nothing', async () => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT: '2/10m' });
	const { server } = storing;
	let turns = 0;
	const send = async (fields: object) => {
		const { status, headers } = await postFor(`192.0.2.${++turns}`, server.url, fields);
		const [quota, wait] = [headers.get('ratelimit')!, headers.get('retry-after')];
		if (wait !== null) expect(quota).toMatch(new RegExp(`;t=${wait}$`));
		return [status, headers.get('ratelimit-policy'), Number(/r=(\d+)/.exec(quota)![1]), wait !== null];
	};
	const [leads, requests] = ['"default";q=2;w=600', '"submissions";q=20;w=600'];
	for (let left = 19; left >= 3; left -= 1) expect(await send({})).toEqual([422, requests, left, false]);
	expect(await send(newLead())).toEqual([200, leads, 1, false]);
	expect(await send(newLead())).toEqual([200, leads, 0, false]);
	expect(await send(newLead())).toEqual([429, leads, 0, true]);
	expect(await send({})).toEqual([429, requests, 0, true]);
});

test.each([
	['a store', {}],
	['no store', { LEAD_STORE: 'none' }],
])('with %s a lead sent again counts as a request only, as does a conflict, and a hit is answered alike', async (_, settings) => {
	await using storing = await startStoring({ LEAD_RATE_LIMIT: '4/10m', TRUST_PROXY: '1', ...settings });
	const sent: [fields: LeadValues, key: string | undefined, left: string][] = [
		[{ message: 'one' }, 'a', '"default";r=3'],
		[{ message: 'one' }, 'a', '"submissions";r=38'],
		[{ message: 'one' }, undefined, '"submissions";r=37'],
		[{ message: 'one' }, 'b', '"default";r=2'],
		[{ message: 'two' }, undefined, '"default";r=1'],
		[{ message: 'two' }, undefined, '"submissions";r=34'],
		[{ message: 'two' }, 'c', '"default";r=0'],
		[{ message: 'two' }, 'd', '"default";r=0'],
		[{ message: 'one' }, 'b', '"submissions";r=31'],
	];
	const send = async (fields: LeadValues, key: string | undefined, forwardedFor: string) => {
		const headers = { 'x-forwarded-for': forwardedFor, ...(key === undefined ? {} : { 'idempotency-key': key }) };
		const response = await postBody(storing.server.url, leadOf(fields), headers);
		const { reference } = (await response.json()) as { reference?: string };
		return { status: response.status, left: response.headers.get('ratelimit')!.replace(/;t=\d+$/, ''), reference };
	};
	for (const [website, address] of Object.entries({ '': '192.0.2.1', x: '192.0.2.2' })) {
		const answers = [];
		for (const [fields, key] of sent) answers.push(await send({ ...fields, website }, key, address));
		expect(answers.map(({ left }) => left)).toEqual(sent.map(([, , left]) => left));
		expect(answers.map(({ status }) => status)).toEqual([...Array<number>(7).fill(200), 429, 200]);
		const [one, again, alone, other, , , , , last] = answers.map(({ reference }) => reference);
		expect([again, alone, last]).toEqual([one, one, other]);
		expect(other).not.toBe(one);
	}
	const conflict = await send({ message: 'two' }, 'b', '192.0.2.1');
	expect([conflict.status, conflict.left]).toEqual([422, '"submissions";r=30']);
	// Nobody refuses a hit but for the limit: it is another, and it is kept.
	expect((await send({ message: 'two', website: 'x' }, 'b', '192.0.2.3')).left).toBe('"default";r=3');
	if (!('LEAD_STORE' in settings)) expect(await storing.list('--state', 'quarantined')).toHaveLength(5);
});

test.each([
	['writes no address', '1', { _hidden: 200, '198.51.100.7, unknown': 429, '192.0.2.1': 200 }],
	['sends no header', '1', { '': 200, '192.0.2.1': 200 }],
	['is not known of', '0', { _hidden: 200, '198.51.100.7, unknown': 429, '192.0.2.1': 429 }],
])(
	'where the proxy %s all share its limit, and the log says so once, without what it wrote',
	async (_, TRUST_PROXY, statuses) => {
		await using storing = await startStoring({ LEAD_RATE_LIMIT: '1/10m', TRUST_PROXY });
		const { server } = storing;
		const before = server.process.log.length;
		for (const [address, status] of Object.entries(statuses))
			expect((await postFor(address, server.url, newLead())).status).toBe(status);
		const warnings = () => server.process.log.slice(before).filter(({ level }) => level === 'warn');
		await expect.poll(warnings).toHaveLength(1);
		expect(server.process.output).not.toMatch(/198\.51\.100\.7|_hidden/);
	},
);

test('a form that cannot be read counts as a request, and then is answered 429', async () => {
	await using server = await startServer({ LEAD_RATE_LIMIT: '1/10m' });
	const body = new Uint8Array([0xff]);
	const type = { 'content-type': 'application/x-www-form-urlencoded' };
	const send = (headers: object) =>
		fetch(`${server.url}/api/contact`, { method: 'POST', body, headers: { ...type, ...headers } });
	const coded = { 'content-encoding': 'br' };
	for (let turn = 0; turn < 5; turn += 1) expect([(await send({})).status, (await send(coded)).status]).toEqual([400, 415]);
	const refused = await send(coded);
	expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
});
