import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** All that a build is made of. */
const SOURCES = ['astro.config.mjs', 'package-lock.json', 'content/**', 'public/**', 'src/**'];

/**
 * The version of the service as it is built from a folder: that of its package, and behind it the build (SemVer 2.0.0, section 10).
 *
 * @param buildId without one it is a hash of the sources: the same sources give the same version
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
