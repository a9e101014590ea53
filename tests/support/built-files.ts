import { existsSync, globSync } from 'node:fs';

/** The files that browsers may load, from the build that most tests look at. */
export const client = 'var/test/dist/client';

/** Returns the files in a build that the build made: those of `public/` are whatever an editor put there. */
export const builtFiles = (pattern: string, cwd = client) =>
	globSync(pattern, { cwd }).filter((file) => !existsSync(`public/${file}`));
