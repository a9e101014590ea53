import { existsSync, globSync, readFileSync } from 'node:fs';
import { urlPath } from '../../src/facts/links.ts';

/** The files that browsers may load, from the build that most tests look at. */
export const client = 'var/test/dist/client';

/** Returns the files in a build that the build made: those of `public/` are whatever an editor put there. */
export const builtFiles = (pattern: string, cwd = client) =>
	globSync(pattern, { cwd }).filter((file) => !existsSync(`public/${file}`));

/** Returns the HTML of each page that a build made, by its path. */
export const pagesIn = (cwd = client) =>
	new Map(builtFiles('**/*.html', cwd).map((file) => [urlPath(file), readFileSync(`${cwd}/${file}`, 'utf8')]));
