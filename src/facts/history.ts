import { execFileSync } from 'node:child_process';

let changes: Map<string, Date> | undefined;

/**
 * When a file was last changed, by git's history.
 *
 * @param file its path from the project's root
 * @returns none where git does not know: without a history or with a part of it only, and for a file that differs from what is committed
 */
export function lastChanged(file: string): Date | undefined {
	changes ??= changesIn(process.cwd());
	return changes.get(file);
}

/** {@link lastChanged} of every file below `content/` in a project, by its path from there. */
export function changesIn(root: string): Map<string, Date> {
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'ignore'] });
	const namesFrom = (...args: string[]) => git(...args, '-z', '--', 'content').split('\0');
	try {
		// Of its oldest commits it would say that they have made everything.
		if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return new Map();
		const changes = latestIn(namesFrom('log', `--format=${MARK}%cI`, '--name-only', '--relative'));
		const uncommitted = [...namesFrom('diff', 'HEAD', '--name-only', '--relative'), ...namesFrom('ls-files', '--others')];
		for (const file of uncommitted) changes.delete(file);
		return changes;
	} catch {
		return new Map();
	}
}

/** Begins the time of a commit, among the names of what it has changed. No path begins with it. */
const MARK = '//';

/** From a log, which begins with the latest. */
function latestIn(log: string[]): Map<string, Date> {
	const latest = new Map<string, Date>();
	let time = new Date(Number.NaN);
	for (const entry of log.map((text) => text.trim())) {
		if (entry.startsWith(MARK)) time = new Date(entry.slice(MARK.length));
		else if (entry !== '' && !latest.has(entry)) latest.set(entry, time);
	}
	return latest;
}
