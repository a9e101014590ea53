import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { NOBODY, onFreePorts } from '../support/listening.ts';
import { startBackend } from '../support/lead-places.ts';
import { missingDaemon } from '../support/missing.ts';
import { TestProcess } from '../support/process.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const PROGRAM = '/usr/bin/rspamd';

const rspamdMissing = missingDaemon('rspamd', existsSync(PROGRAM));

const pattern = (action: string) => `${action}JS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X`;
/** Texts that rspamd rejects, and for which it adds a header. */
const [REJECTED, HEADED] = [pattern('X'), pattern('Y')];

/** Starts Debian's rspamd with its own rules: a worker that checks. */
async function startRspamd() {
	const folder = await temporaryFolder();
	await mkdir(`${folder.path}/db`);
	const configuration = (checking: number) => `.include "/etc/rspamd/common.conf"
options {
	pidfile = "${folder.path}/pid"; dbdir = "${folder.path}/db"; rundir = "${folder.path}"; control_socket = "${folder.path}/control mode=0600";
	enable_test_patterns = true;
	dns { nameserver = ["${NOBODY}"]; }
}
logging { type = "console"; level = "warning"; }
worker { type = "normal"; bind_socket = "127.0.0.1:${checking}"; count = 1; }
`;
	execFileSync('chown', ['-R', '_rspamd', folder.path]);
	const as = ['--user', '_rspamd', '--group', '_rspamd'];
	const args = ['--no-fork', ...as, `--var=LOCAL_CONFDIR=${folder.path}`, '--config', `${folder.path}/rspamd.conf`];
	const { started: engine, port } = await onFreePorts(async (checking) => {
		await writeFile(`${folder.path}/rspamd.conf`, configuration(checking));
		// Its workers end with it only if it can tell them.
		const engine = new TestProcess(args, { program: PROGRAM, end: 'TERM' });
		// It listens before its rules are ready.
		return engine.answers(`http://127.0.0.1:${checking}/ping`);
	});
	return { url: `http://127.0.0.1:${port}`, ...disposing(engine, folder) };
}

test.skipIf(rspamdMissing)('rspamd’s rejection is a strong signal, its mark a weak one, and any other answer none', async () => {
	await using engine = await startRspamd();
	await using backend = await startBackend({ LEAD_SPAM_URL: engine.url });
	expect(await backend.judged({ message: HEADED })).toMatchObject({ spam: { verdict: 'marked', signals: ['engine'] } });
	expect(await backend.judged({ message: 'Do you speak Spanish?' })).toMatchObject({ spam: { verdict: 'clear' } });
	const name = 'Ana, see https://win.example/now';
	expect(await backend.judged({ name, message: HEADED })).toMatchObject({ spam: { verdict: 'marked' } });
	expect(await backend.judged({ name, message: REJECTED })).toMatchObject({ state: 'quarantined', spam: { verdict: 'held' } });
});

test.each([
	['it is down', async () => ({ url: `http://${NOBODY}`, async [Symbol.asyncDispose]() {} })],
	['it answers with an error', () => startWebhookReceiver({ status: 500, body: '{"error":"busy"}' })],
	['it answers nonsense', () => startWebhookReceiver({ body: '<html>hello</html>' })],
	['it answers without an action', () => startWebhookReceiver({ body: '{"score":99}' })],
	['it never answers', () => startWebhookReceiver({ until: new Promise(() => {}) })],
])('without the engine’s verdict, because %s, other signals judge a lead soon, and the log says so', async (_, start) => {
	await using engine = await start();
	await using backend = await startBackend({ LEAD_SPAM_URL: new URL(engine.url).origin });
	const lead = await backend.judged({ name: 'Ana, see https://win.example/now' });
	expect(lead).toMatchObject({ spam: { verdict: 'marked', signals: ['name-address'] } });
	expect(backend.log).toContainEqual(expect.objectContaining({ level: 'warn', lead: lead.id }));
});
