import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeFault, OLDEST_NODE } from '../../src/scripts/node-version.mjs';
import { runDoctor, runLeads } from '../support/operator-command.ts';
import { METRICS, scrape, valueOf } from '../support/metrics.ts';
import { nodeProgram } from '../support/node-program.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { NOBODY } from '../support/listening.ts';
import { lead, postLead } from '../support/post-lead.ts';
import { TestProcess } from '../support/process.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const server = 'var/test/dist/server';
/** Runs `erase` as at a terminal, answers yes, and returns its output. */
function eraseAtTerminal(program: string, env: Record<string, string>): string {
	const terminal = 'data:text/javascript,process.stdin.isTTY = true';
	const args = ['--import', terminal, `${server}/leads.mjs`, 'erase', lead.email];
	const { stdout, stderr } = spawnSync(program, args, { input: 'y\n', env, encoding: 'utf8' });
	return stderr + stdout;
}

describe.each([OLDEST_NODE, process.versions.node, '26.10.0'])('on Node.js %s', (version) => {
	let program: string;
	beforeAll(async () => {
		program = await nodeProgram(version);
	});

	test('the project builds', async () => {
		await using copy = await copyOfProject();
		const { code, output } = await copy.build({}, program);
		expect(code, output).toBe(0);
	});

	test('the server serves metrics, the commands work, and both print nothing else', async () => {
		await using folder = await temporaryFolder();
		await using receiver = await startWebhookReceiver();
		const store = { LEAD_STORE: `sqlite:${folder.path}/leads.db` };
		const settings = { ...store, ...METRICS, LEAD_WEBHOOK_URL: receiver.url };
		await using running = await startServer(settings, [], program);
		expect((await postLead(running.url)).status).toBe(200);
		const list = () => runLeads(['list'], settings, { node: program });
		await expect.poll(list).toEqual({ code: 0, stdout: expect.stringContaining('1 delivered'), stderr: '' });
		expect(valueOf('leads_total{outcome="accepted"}', await scrape(running))).toBe(1);
		const backedUp = await runLeads(['backup', `${folder.path}/copy.db`], settings, { node: program });
		expect(backedUp).toMatchObject({ code: 0, stderr: '' });
		expect(await running.process.stop()).toBe(0);
		expect(eraseAtTerminal(program, settings)).toMatch(/^Delete 1 entry .*\[y\/N\].*Deleted 1 entry/);
		expect(running.process.output.match(/^(?!\{"level").+$/gm)).toBeNull();
	});
});

describe.each(['22.12.0', '20.20.2', '18.20.8'])('on Node.js %s, which is too old,', (version) => {
	test.each(['doctor', 'entry', 'function', 'keys', 'leads'])('%s says in one line which it needs, and ends', async (file) => {
		const imported = `import('${path.resolve(server, `${file}.mjs`)}')`;
		await using program = new TestProcess(['--eval', imported], { program: await nodeProgram(version) });
		expect(await program.exit()).toBe(1);
		expect(program.output).toBe(`${nodeFault('', version)}\n`);
	});
});

test('the doctor tells of a SQLite that may damage its file', async () => {
	await using keeping = await startLeadKeeping();
	const { findings } = await runDoctor([`http://${NOBODY}`], keeping.env, await nodeProgram(OLDEST_NODE));
	expect(findings).toContainEqual(expect.objectContaining({ check: 'store: SQLite', outcome: 'warning' }));
});
