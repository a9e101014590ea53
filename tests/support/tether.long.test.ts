import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eximMissing } from './exim.ts';
import { freePort } from './free-port.ts';
import { nginxMissing } from './nginx.ts';
import { postfixMissing } from './postfix.ts';
import { postgresMissing } from './postgres.ts';
import { TestProcess } from './process.ts';
import { supervisorMissing } from './supervisor.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether the system lists the children of a process. */
const told = existsSync('/proc/self/task/');

test.skipIf(!told).for([
	['the server', 'server.ts', 'startServer()', undefined],
	['Astro’s development server', 'server.ts', 'startDevelopment()', undefined],
	['the function', 'function.ts', 'startFunction()', undefined],
	['a supervised server', 'supervisor.ts', `startSupervised({ LEAD_STORE: 'none' })`, supervisorMissing],
	['PostgreSQL', 'postgres.ts', 'startPostgres()', postgresMissing ?? process.env['TEST_POSTGRES_URL']],
	['nginx', 'nginx.ts', `startNginx('server { listen 127.0.0.1:${await freePort()}; }')`, nginxMissing],
	['Postfix', 'postfix.ts', 'startPostfix()', postfixMissing],
	['Exim', 'exim.ts', 'startExim()', eximMissing],
])('%s ends with the process that started it, and leaves no file', async ([, file, start, missing], { skip }) => {
	if (missing) return skip(missing);
	await using folder = await temporaryFolder();
	// PostgreSQL and Postfix run as other users, who must have access.
	await chmod(folder.path, 0o755);
	const script = `import * as support from '${path.resolve('tests/support', file!)}';
		await support.${start};
		console.log('started');
		setInterval(() => {}, 1000);`;
	await using holder = new TestProcess(['--input-type=module', '--eval', script], { env: { TMPDIR: folder.path } });
	await holder.printed(/started/);
	const started = descendantsOf(holder.pid);
	expect(started.length).toBeGreaterThan(0);

	holder.signal('SIGKILL');
	await holder.exit();
	await expect.poll(() => started.filter(runs)).toEqual([]);
	await expect.poll(() => readdirSync(folder.path)).toEqual([]);
});

/** Returns the processes below a process, in any group. */
function descendantsOf(pid: number): number[] {
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
	return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Returns whether a process runs. One that has ended stays in the list until its parent asks for its status. */
function runs(pid: number): boolean {
	try {
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}
