import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '../scripts/build.mjs';

/**
 * Returns the version of a build from a folder: the version of its package and the build's id (SemVer 2.0.0, section 10).
 *
 * @param buildId by default a hash of the sources: the same sources give the same version
 */
export function versionOf(folder: string, buildId: string = hashOf(folder).slice(0, 7)): string {
	const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
	return `${version}+${buildId}`;
}
