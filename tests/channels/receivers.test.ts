import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { startBackend } from '../support/lead-places.ts';
import { onFreePorts } from '../support/listening.ts';
import { TestProcess } from '../support/process.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

const programs = [
	{ file: 'receiver.mjs', program: process.execPath, args: ['receiver.mjs'] },
	{ file: 'receiver.php', program: 'php', args: ['-S', '127.0.0.1:8080', 'receiver.php'] },
];
const secretOf = (word: string) => `whsec_${Buffer.from(word.padEnd(32, '.')).toString('base64')}`;
const [secret, forged] = [secretOf('genuine'), secretOf('forged')];

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
			...disposing(receiver, folder),
		};
	}

	test.skipIf(missing)('saves a lead of our server, also while the secret changes, and refuses a forged one', async () => {
		await using receiver = await start();
		const of = (secrets: string) => ({ LEAD_WEBHOOK_URL: receiver.url, LEAD_WEBHOOK_SECRET: secrets, LEAD_RETRY: '1h' });
		await using backend = await startBackend(of(forged));
		await backend.take();
		expect((await backend.leads('list')).stdout).toMatch(/ waiting .* HTTP 401/);
		expect(receiver.saved()).toEqual([]);
		await backend.restart(of(`${forged} ${secret} ${forged}`));
		await backend.take({ message: 'Grüße ✓' });
		expect(receiver.saved().map((body) => JSON.parse(body) as Event)).toMatchObject([{ data: { message: 'Grüße ✓' } }]);
	});

	test.skipIf(missing)('answers 401 to all that is not signed, or was changed or is old, and saves a copy once', async () => {
		await using receiver = await start();
		const now = new Date();
		const signer = new Webhook(secret);
		const post = async (headers: Record<string, string> = {}) =>
			(await fetch(receiver.url, { method: 'POST', body: '{}', headers })).status;
		const send = ({ id = 'id-1', time = now, signature = signer.sign(id, time, '{}') } = {}) => {
			const stamp = String(Math.floor(time.getTime() / 1000));
			return post({ 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': signature });
		};
		const ofAnother = signer.sign('id-1', now, '{"changed":true}');
		const refused = ['', 'v1,', 'é'.repeat(ofAnother.length), ofAnother].map((signature) => ({ signature }));
		const old = [-6, 6].map((minutes) => ({ time: new Date(now.getTime() + minutes * 60_000) }));
		expect(await post()).toBe(401);
		for (const given of [...refused, ...old]) expect(await send(given)).toBe(401);
		expect(receiver.saved()).toEqual([]);
		expect([await send(), await send(), await send({ id: 'id-2' })]).toEqual([204, 204, 204]);
		expect(receiver.saved()).toHaveLength(2);
	});
});
