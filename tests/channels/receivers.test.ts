import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { codeIn } from '../support/html.ts';
import { startBackend } from '../support/lead-places.ts';
import { onFreePorts } from '../support/listening.ts';
import { missing } from '../support/missing.ts';
import { TestProcess } from '../support/process.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

const programs = [
	{ file: 'receiver.mjs', program: process.execPath, args: ['receiver.mjs'] },
	{ file: 'receiver.py', program: 'python3', args: ['receiver.py'] },
	{ file: 'receiver.php', program: 'php', args: ['-S', '127.0.0.1:8080', 'receiver.php'] },
];
const page = readFileSync('var/test/dist/client/docs/webhook.html', 'utf8');
/** The code of the page as a reader would copy it. */
const codes = [...page.matchAll(/<pre [^>]*>(.*?)<\/pre>/gs)].map(([, html]) => codeIn(html!));
const codeWith = (words: string) => codes.find((code) => code.includes(words))!;

const secretOf = (word: string) => `whsec_${Buffer.from(word.padEnd(32, '.')).toString('base64')}`;
const [secret, forged] = [secretOf('genuine'), secretOf('forged')];

type Program = (typeof programs)[number];

/** Starts a program of the page as it is, but on a free port. @param clock how far its clock is ahead, in milliseconds: for Node.js only */
async function start({ file, program, args }: Program, key = secret, clock?: number) {
	const folder = await temporaryFolder();
	const shifted = clock === undefined ? [] : [`--import=${pathToFileURL('tests/support/shifted-clock.ts').href}`];
	const { started: receiver, port } = await onFreePorts(async (port) => {
		writeFileSync(`${folder.path}/${file}`, codeWith(` ${file}: `).replaceAll('8080', String(port)));
		const env = { LEAD_WEBHOOK_SECRET: key, CLOCK_SHIFT: String(clock) };
		const given = args.map((arg) => arg.replace('8080', String(port)));
		return new TestProcess([...shifted, ...given], { program, cwd: folder.path, env }).answers(`http://127.0.0.1:${port}/`);
	});
	return {
		url: `http://127.0.0.1:${port}/`,
		saved: () => readdirSync(`${folder.path}/leads`).map((name) => readFileSync(`${folder.path}/leads/${name}`, 'utf8')),
		...disposing(receiver, folder),
	};
}

describe.each(programs)('The example $file', (example) => {
	const { file, program } = example;
	const skipped = missing(file, spawnSync(program, ['--version']).status === 0, `install ${program}.`);

	test.skipIf(skipped)('saves a lead of our server, also while the secret changes, and refuses a forged one', async () => {
		await using receiver = await start(example);
		const of = (secrets: string) => ({ LEAD_WEBHOOK_URL: receiver.url, LEAD_WEBHOOK_SECRET: secrets, LEAD_RETRY: '1h' });
		await using backend = await startBackend(of(forged));
		await backend.take();
		expect((await backend.leads('list')).stdout).toMatch(/ waiting .* HTTP 401/);
		expect(receiver.saved()).toEqual([]);
		await backend.restart(of(`${forged} ${secret} ${forged}`));
		await backend.take({ message: 'Grüße ✓' });
		expect(receiver.saved().map((body) => JSON.parse(body) as Event)).toMatchObject([{ data: { message: 'Grüße ✓' } }]);
	});

	test.skipIf(skipped)('answers 401 to all that is not signed, or was changed or is old, and saves a copy once', async () => {
		await using receiver = await start(example);
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

test('the test vector is the lead that the page shows: a library and the shell sign it alike, and a receiver takes it at its time alone', async () => {
	const vector = codeWith('secret=whsec_');
	const valueOf = (name: string) => new RegExp(`^${name}='?(.*?)'?$`, 'm').exec(vector)![1]!;
	const [key, id, time, body] = ['secret', 'id', 'time', 'body'].map(valueOf) as [string, string, string, string];
	const signed = new Date(Number(time) * 1000);
	const signature = new Webhook(key).sign(id, signed, body);
	const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
	const [head, shown] = codeWith('POST /leads').split('\n\n') as [string, string];
	for (const header of Object.entries(headers)) expect(head).toContain(header.join(': '));
	expect(JSON.parse(shown)).toEqual(JSON.parse(body));
	expect(valueOf('wanted')).toBe(signature);
	expect(spawnSync('sh', ['-c', `${vector}\n${codeWith('hexkey:')}`], { encoding: 'utf8' }).stdout).toBe(`${signature}\n`);
	const statuses = [];
	for (const clock of [undefined, signed.getTime() - Date.now()]) {
		await using receiver = await start(programs[0]!, key, clock);
		statuses.push((await fetch(receiver.url, { method: 'POST', headers, body })).status);
	}
	expect(statuses).toEqual([401, 204]);
});
