import { spawnSync } from 'node:child_process';
import { missing } from './missing.ts';

/** Runs Prometheus' own tool. @param input the content of standard input */
export function promtool(args: string[], { cwd, input }: { cwd?: string; input?: string } = {}) {
	const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd, input });
	return { status, said: stdout + stderr };
}

export const promtoolMissing = missing(
	'Prometheus',
	promtool(['--version']).status === 0,
	'install promtool, of Debian’s prometheus.',
);
