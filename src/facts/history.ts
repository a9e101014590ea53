import { execFileSync } from 'node:child_process';

let changes: Map<string, Date> | undefined;

/**
 * Returns the time of a file's last change in git's history.
 *
 * @param file its path from the project's root
 * @returns none where git cannot know: without a full history, and for a file with uncommitted changes
 */
export function lastChanged(file: string): Date | undefined {
	changes ??= changesIn(process.cwd());
	return changes.get(file);
}

/** Returns {@link lastChanged} for every file below `content/`, by its path from the project's root. */
export function changesIn(root: string): Map<string, Date> {
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: Infinity, stdio: ['ignore', 'pipe', 'ignore'] });
	const namesFrom = (...args: string[]) => git(...args, '-z', '--', 'content').split('\0');
	try {
		// A shallow history would date every older file by its oldest commit.
		if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return new Map();
		const changes = latestIn(namesFrom('log', `--format=${MARK}%cI`, '--name-only', '--relative'));
		const uncommitted = [...namesFrom('diff', 'HEAD', '--name-only', '--relative'), ...namesFrom('ls-files', '--others')];
		for (const file of uncommitted) changes.delete(file);
		return changes;
	} catch {
		return new Map();
	}
}

/** Marks the time of a commit among the names of changed files. No path begins with it. */
const MARK = '//';

/** Reads a log, newest commit first. */
function latestIn(log: string[]): Map<string, Date> {
	const latest = new Map<string, Date>();
	let time = new Date(Number.NaN);
	for (const entry of log.map((text) => text.trim())) {
		if (entry.startsWith(MARK)) time = new Date(entry.slice(MARK.length));
		else if (entry !== '' && !latest.has(entry)) latest.set(entry, time);
	}
	return latest;
}
