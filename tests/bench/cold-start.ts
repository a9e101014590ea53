import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Comparison, inTurns, OURS } from './comparison.ts';
import { onCore } from './load.ts';
import { YARDSTICKS } from './yardsticks/build.ts';

const BARE = 'a bare fetch handler';
const OURS_BUILT = 'var/test/dist/hosts/vercel/.vercel/output/functions/api.func/vercel.mjs';

/** Measures a cold function: from the start of the process to the first answer, its import included. */
export async function coldStart(): Promise<Comparison[]> {
	const time = (file: string) => () => Promise.resolve(startAndAsk(path.resolve(file)));
	const values = await inTurns({ [BARE]: time(`${YARDSTICKS}/fetch.js`), [OURS]: time(OURS_BUILT) }, 9);
	return [{ what: 'function, cold, to first answer', unit: 'ms', yardstick: BARE, target: { most: 2.2 }, values }];
}

/** Returns milliseconds. */
function startAndAsk(file: string): number {
	const script = `
		const { default: entry } = await import(${JSON.stringify(file)});
		const response = await entry.fetch(new Request('https://www.website.test/api/status'));
		if ((await response.json()).ok !== true) process.exit(1);
		process.exit();
	`;
	const { PATH = '' } = process.env;
	const start = performance.now();
	const [command, args] = onCore(0, process.execPath, ['--input-type=module', '--eval', script]);
	execFileSync(command, args, { env: { PATH, NODE_ENV: 'production', LOG_LEVEL: 'error' }, stdio: 'inherit' });
	return performance.now() - start;
}
