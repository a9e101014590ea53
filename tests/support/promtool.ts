import { spawnSync } from 'node:child_process';

/** Runs Prometheus' own tool. @param input the content of standard input */
export function promtool(args: string[], { cwd, input }: { cwd?: string; input?: string } = {}) {
	const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd, input });
	return { status, said: stdout + stderr };
}

/** Why the tool is missing, or undefined if it is installed. Printed once, because a skipped test is silent. */
export const promtoolMissing =
	promtool(['--version']).status === 0 ? undefined : 'Prometheus tests skipped: install promtool, of Debian’s prometheus.';
if (promtoolMissing) console.warn(promtoolMissing);
