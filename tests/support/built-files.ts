import { existsSync, globSync } from 'node:fs';

/** The files that browsers may load, from the build that most tests look at. */
export const client = 'var/test/dist/client';

/** Returns the files in {@link client} that the build made: those of `public/` are whatever an editor put there. */
export const builtFiles = (pattern: string) => globSync(pattern, { cwd: client }).filter((file) => !existsSync(`public/${file}`));
