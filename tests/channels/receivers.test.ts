import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { leadFields } from '../../src/lead/lead.ts';
import { runDoctor } from '../support/operator-command.ts';
import { leadWith } from '../support/lead.ts';
import { startBackend, startStoring } from '../support/lead-places.ts';
import { NOBODY, onFreePorts } from '../support/listening.ts';
import { hit, postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('A user name and a password in the URL reach the receiver by HTTP Basic, and nothing and nobody else', async () => {
	await using elsewhere = await startWebhookReceiver();
	const redirect = { status: 307, headers: { location: elsewhere.url } };
	await using receiver = await startWebhookReceiver(redirect);
	const LEAD_WEBHOOK_URL = receiver.url.replace('//', '//säles:p%40ss%3Aword-%E2%82%AC@');
	await using storing = await startStoring({ LEAD_WEBHOOK_URL });
	await postLead(storing.server.url);
	await expect.poll(storing.states).toEqual(['parked']);

	const [request] = receiver.requests;
	const [scheme, value] = request!.headers.authorization!.split(' ') as [string, string];
	expect([scheme, Buffer.from(value, 'base64').toString()]).toEqual(['Basic', 'säles:p@ss:word-€']);
	expect(request!.path).toBe(new URL(receiver.url).pathname);
	expect(elsewhere.requests).toEqual([]);

	const { stdout } = await storing.leads('list', '--json');
	const { entries } = JSON.parse(stdout) as { entries: { id: string }[] };
	const shown = await storing.leads('show', entries[0]!.id);
	const examined = await runDoctor([`http://${NOBODY}`], storing.env);
	const told = [storing.server.process.output, stdout, shown.stdout, JSON.stringify(examined)].join('\n');
	expect(shown.stdout).toMatch(/HTTP 307/);
	expect(told).not.toMatch(/s(ä|%C3%A4)les:|p(@|%40)ss|word-|%E2%82%AC/);
	expect(told).not.toContain(value.slice(0, 12));
});

test('What a receiver gets is every field, the key that the lead was sent with, and the verdict, and nothing else', async () => {
	await using backend = await startBackend();
	await backend.take(leadWith());
	await backend.take({ message: 'With a key.' }, { apiKey: { id: 'a key' } });
	await backend.quarantine(hit);
	await backend.leads('release', (await backend.list('--state', 'quarantined'))[0]!.id);
	await backend.tryDue();

	const events = backend.received().filter(({ type }) => type === 'lead.received');
	expect(events).toHaveLength(3);
	const members = new Set(events.flatMap(({ data }) => Object.keys(data)));
	const fields = leadFields.map(({ name }) => name).filter((name) => name !== 'website');
	expect([...members].toSorted()).toEqual([...fields, 'apiKey', 'id', 'noticeVersion', 'receivedAt', 'spam'].toSorted());
});

const programs = [
	{ file: 'receiver.mjs', program: process.execPath, args: ['receiver.mjs'] },
	{ file: 'receiver.php', program: 'php', args: ['-S', '127.0.0.1:8080', 'receiver.php'] },
];
const [secret, forged] = ['genuine', 'forged'].map((word) => `whsec_${Buffer.from(word.padEnd(32, '.')).toString('base64')}`) as [
	string,
	string,
];

describe.each(programs)('The example $file', ({ file, program, args }) => {
	const missing = spawnSync(program, ['--version']).status !== 0;
	if (missing) console.warn(`${file} is not tested: ${program} is not installed.`);

	/** Starts the program as it is, but on a free port. */
	async function start() {
		const folder = await temporaryFolder();
		const code = readFileSync(`src/channels/receivers/${file}`, 'utf8');
		const { receiver, url } = await onFreePorts(async (port) => {
			writeFileSync(`${folder.path}/${file}`, code.replaceAll('8080', String(port)));
			const env = { LEAD_WEBHOOK_SECRET: secret };
			const given = args.map((arg) => arg.replace('8080', String(port)));
			const receiver = new TestProcess(given, { program, cwd: folder.path, env });
			const url = `http://127.0.0.1:${port}/`;
			await receiver.answers(url);
			return { receiver, url };
		});
		return {
			url,
			saved: () => readdirSync(`${folder.path}/leads`).map((name) => readFileSync(`${folder.path}/leads/${name}`, 'utf8')),
			async [Symbol.asyncDispose]() {
				await receiver[Symbol.asyncDispose]();
				await folder[Symbol.asyncDispose]();
			},
		};
	}

	test.skipIf(missing)('saves a lead of our server, also while the secret changes, and refuses a forged one', async () => {
		await using receiver = await start();
		const LEAD_WEBHOOK_URL = receiver.url;
		await using forger = await startStoring({ LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET: forged });
		await postLead(forger.server.url);
		await expect.poll(forger.states).toEqual(['parked']);
		expect((await forger.leads('list', '--long')).stdout).toContain('HTTP 401');
		expect(receiver.saved()).toEqual([]);
		await using storing = await startStoring({ LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET: `${forged} ${secret} ${forged}` });
		await postLead(storing.server.url, { message: 'Grüße ✓' });
		await expect.poll(storing.states).toEqual(['delivered']);
		expect(receiver.saved().map((body) => JSON.parse(body) as Event)).toMatchObject([{ data: { message: 'Grüße ✓' } }]);
	});

	test.skipIf(missing)('answers 401 to all that is not signed, or was changed or is old, and saves a copy once', async () => {
		await using receiver = await start();
		const now = new Date();
		const send = async (given: { id?: string; time?: Date; signed?: string; signature?: string } = {}) => {
			const { id = 'id-1', time = now, signed = '{}', signature = new Webhook(secret).sign(id, time, signed) } = given;
			const stamp = String(Math.floor(time.getTime() / 1000));
			const headers = { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': signature };
			return (await fetch(receiver.url, { method: 'POST', body: '{}', headers })).status;
		};
		expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(401);
		const { length } = new Webhook(secret).sign('id-1', now, '{}');
		for (const signature of ['', 'v1,', 'é'.repeat(length)]) expect(await send({ signature })).toBe(401);
		expect(await send({ signed: '{"changed":true}' })).toBe(401);
		for (const minutes of [-6, 6]) expect(await send({ time: new Date(now.getTime() + minutes * 60_000) })).toBe(401);
		expect(receiver.saved()).toEqual([]);
		expect([await send(), await send(), await send({ id: 'id-2' })]).toEqual([204, 204, 204]);
		expect(receiver.saved()).toHaveLength(2);
	});
});
