import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { NOBODY, onFreePorts } from './listening.ts';
import { missing } from './mail-daemon.ts';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const [PROGRAM, REDIS] = ['/usr/bin/rspamd', '/usr/bin/redis-server'];

/** Why tests with rspamd are skipped, or undefined if they run. */
export const rspamdMissing = missing('rspamd and redis-server', existsSync(PROGRAM) && existsSync(REDIS));

const pattern = (action: string) => `${action}JS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X`;
/** Texts that rspamd rejects, and for which it adds a header. */
export const [REJECTED, HEADED] = [pattern('X'), pattern('Y')];

/** Starts Debian's rspamd with its own rules: a worker that checks, the controller that learns too, and a Redis to learn in. */
export async function startRspamd() {
	const folder = await temporaryFolder();
	const password = 'teach-me';
	await mkdir(`${folder.path}/db`);
	await mkdir(`${folder.path}/local.d`);
	await writeFile(`${folder.path}/local.d/redis.conf`, `servers = "${folder.path}/redis";`);
	const configuration = (checking: number, controlling: number) => `.include "/etc/rspamd/common.conf"
options {
	pidfile = "${folder.path}/pid"; dbdir = "${folder.path}/db"; rundir = "${folder.path}"; control_socket = "${folder.path}/control mode=0600";
	enable_test_patterns = true;
	dns { nameserver = ["${NOBODY}"]; }
}
logging { type = "console"; level = "warning"; }
worker { type = "normal"; bind_socket = "127.0.0.1:${checking}"; count = 1; }
worker { type = "controller"; bind_socket = "127.0.0.1:${controlling}"; count = 1; secure_ip = null; password = "${password}"; enable_password = "${password}"; }
`;
	execFileSync('chown', ['-R', '_rspamd', folder.path]);
	const socket = ['--port', '0', '--unixsocket', `${folder.path}/redis`, '--unixsocketperm', '777'];
	const memory = new TestProcess([...socket, '--save', '', '--dir', folder.path], { program: REDIS });
	const as = ['--user', '_rspamd', '--group', '_rspamd'];
	const args = ['--no-fork', ...as, `--var=LOCAL_CONFDIR=${folder.path}`, '--config', `${folder.path}/rspamd.conf`];
	const { engine, url, controller } = await onFreePorts(async (checking, controlling) => {
		await writeFile(`${folder.path}/rspamd.conf`, configuration(checking, controlling));
		const engine = new TestProcess(args, { program: PROGRAM });
		const [url, controller] = [`http://127.0.0.1:${checking}`, `http://127.0.0.1:${controlling}`];
		// It listens before its rules are ready.
		for (const address of [url, controller]) await engine.answers(`${address}/ping`);
		return { engine, url, controller };
	});
	return {
		url,
		controller,
		password,
		process: engine,
		async [Symbol.asyncDispose]() {
			// Its workers end with it only if it can tell them.
			engine.signal('SIGTERM');
			await engine.exit();
			for (const resource of [engine, memory, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}
