import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** All sources of a build. */
const SOURCES = ['astro.config.mjs', 'package-lock.json', 'content/**', 'public/**', 'src/**'];

/**
 * Returns the version of a build from a folder: the version of its package and the build's id (SemVer 2.0.0, section 10).
 *
 * @param buildId by default a hash of the sources: the same sources give the same version
 */
export function versionOf(folder: string, buildId: string = hashOf(folder)): string {
	const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
	return `${version}+${buildId}`;
}

function hashOf(folder: string): string {
	const hash = createHash('sha256');
	for (const file of globSync(SOURCES, { cwd: folder, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
		.toSorted())
		hash
			.update(`${file}\0`)
			.update(readFileSync(path.join(folder, file)))
			.update('\0');
	return hash.digest('hex').slice(0, 7);
}
