import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { OLDEST_NODE } from '../../src/scripts/node-version.mjs';
import { runDoctor, runLeads } from '../support/operator-command.ts';
import { startFunction } from '../support/function.ts';
import { METRICS, scrape, valueOf } from '../support/metrics.ts';
import { nodeProgram } from '../support/node-program.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { NOBODY } from '../support/listening.ts';
import { lead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const server = 'var/test/dist/server';
const json = (body: object) => ({
	method: 'POST',
	body: JSON.stringify(body),
	headers: { 'content-type': 'application/json' },
});
const form = { method: 'POST', body: new URLSearchParams({ name: 'Ana Ruiz' }) };

/** Runs `erase` as at a terminal, answers yes, and returns its output. */
function eraseAtTerminal(program: string, env: Record<string, string>): string {
	const terminal = 'data:text/javascript,process.stdin.isTTY = true';
	const args = ['--import', terminal, `${server}/leads.mjs`, 'erase', lead.email];
	const { stdout, stderr } = spawnSync(program, args, { input: 'y\n', env, encoding: 'utf8' });
	return stderr + stdout;
}

/** Returns the status of each path through the server: a lead, the form's page, a body that is too large, the health check. */
async function answers(url: string): Promise<number[]> {
	const requests: [string, RequestInit][] = [
		['/api/contact', json(lead)],
		['/api/contact', form],
		['/api/contact', json({ message: 'a'.repeat(100_000) })],
		['/api/status', {}],
	];
	return Promise.all(requests.map(async ([target, init]) => (await fetch(url + target, init)).status));
}

describe.each([OLDEST_NODE, process.versions.node, '26.10.0'])('on Node.js %s', (version) => {
	let program: string;
	beforeAll(async () => {
		program = await nodeProgram(version);
	});

	test('the server serves and delivers, the command shows what it did, and both print nothing else', async () => {
		await using folder = await temporaryFolder();
		await using receiver = await startWebhookReceiver();
		const store = { LEAD_STORE: `sqlite:${folder.path}/leads.db` };
		const settings = { ...store, ...METRICS, LEAD_WEBHOOK_URL: receiver.url };
		await using running = await startServer(settings, [], [], program);
		expect(await answers(running.url)).toEqual([200, 422, 413, 200]);
		const list = () => runLeads(['list'], settings, { node: program });
		await expect.poll(list).toEqual({ code: 0, stdout: expect.stringContaining('1 delivered'), stderr: '' });
		expect(valueOf('leads_total{outcome="accepted"}', await scrape(running))).toBe(1);
		expect(await runLeads(['backup', `${folder.path}/copy.db`], settings, { node: program })).toMatchObject({
			code: 0,
			stderr: '',
		});
		running.process.signal('SIGTERM');
		expect(await running.process.exit()).toBe(0);
		expect(eraseAtTerminal(program, settings)).toMatch(/^Delete 1 entry .*\[y\/N\].*Deleted 1 entry/);
		expect(running.process.output.match(/^(?!\{"level").+$/gm)).toBeNull();
	});

	test('the function answers', async () => {
		await using receiver = await startWebhookReceiver();
		await using host = await startFunction({ LEAD_WEBHOOK_URL: receiver.url }, program);
		expect(await answers(host.url)).toEqual([200, 422, 413, 200]);
		expect(receiver.requests).toHaveLength(1);
	});
});

describe.each(['22.12.0', '20.20.2', '18.20.8'])('on Node.js %s, which is too old,', (version) => {
	test.each(['doctor.mjs', 'entry.mjs', 'function.mjs', 'keys.mjs', 'leads.mjs'])(
		'%s says in one line which one it needs, and ends',
		async (file) => {
			const imported = `import('${path.resolve(server, file)}')`;
			await using program = new TestProcess(['--eval', imported], { program: await nodeProgram(version) });
			expect(await program.exit()).toBe(1);
			expect(program.output).toBe(
				`Node.js ${version} is too old for this: it needs ${OLDEST_NODE} or newer. Install that from https://nodejs.org, or let npm install --include=optional bring one.\n`,
			);
		},
	);
});

test('the doctor tells of a SQLite that may damage its file', async () => {
	await using keeping = await startLeadKeeping();
	const { findings } = await runDoctor([`http://${NOBODY}`], keeping.env, await nodeProgram(OLDEST_NODE));
	expect(findings).toContainEqual(expect.objectContaining({ check: 'store: SQLite', outcome: 'warning' }));
});
