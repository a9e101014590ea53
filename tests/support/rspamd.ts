import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { NOBODY, onFreePorts } from './listening.ts';
import { missing } from './mail-daemon.ts';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROGRAM = '/usr/bin/rspamd';

/** Why tests with rspamd are skipped, or undefined if they run. */
export const rspamdMissing = missing('rspamd', existsSync(PROGRAM));

const pattern = (action: string) => `${action}JS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X`;
/** Texts that rspamd rejects, and for which it adds a header. */
export const [REJECTED, HEADED] = [pattern('X'), pattern('Y')];

/** Starts Debian's rspamd with its own rules: a worker that checks. */
export async function startRspamd() {
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
	const { engine, url } = await onFreePorts(async (checking) => {
		await writeFile(`${folder.path}/rspamd.conf`, configuration(checking));
		const engine = new TestProcess(args, { program: PROGRAM });
		const url = `http://127.0.0.1:${checking}`;
		// It listens before its rules are ready.
		await engine.answers(`${url}/ping`);
		return { engine, url };
	});
	return {
		url,
		async [Symbol.asyncDispose]() {
			// Its workers end with it only if it can tell them.
			engine.signal('SIGTERM');
			await engine.exit();
			for (const resource of [engine, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}
