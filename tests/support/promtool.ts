import { spawnSync } from 'node:child_process';

/** Prometheus' own tool. @param input what stands on standard input */
export function promtool(args: string[], { cwd, input }: { cwd?: string; input?: string } = {}) {
	const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd, input });
	return { status, said: stdout + stderr };
}

/** Why the tool is not there; undefined when it is. Said once, since a skipped test says nothing. */
export const promtoolMissing =
	promtool(['--version']).status === 0 ? undefined : 'Prometheus tests skipped: install promtool, of Debian’s prometheus.';
if (promtoolMissing) console.warn(promtoolMissing);
