import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs npm scripts one after the other, whatever becomes of each, and prints the output of those that failed last:
 * `node tests/run.ts check test:browser`. With `--parallel` it runs them side by side. With `--random` it draws the seed of all
 * random numbers, which are else the same in each run, and prints it; `TEST_SEED` repeats a run.
 */
const scripts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isGiven = (option: string) => process.argv.includes(option);

if (isGiven('--random')) {
	process.env['TEST_SEED'] ??= String(randomInt(2 ** 31));
	console.log(`To repeat this run, set TEST_SEED=${process.env['TEST_SEED']}`);
}

const failures: string[] = [];

async function run(script: string): Promise<void> {
	const start = performance.now();
	// A shell, because npm is a batch file on Windows.
	const child = spawn(`npm run --silent ${script} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
	const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
	const hasFailed = code !== 0;
	const report = `${hasFailed ? '✗' : '✓'} ${script}, ${Math.round((performance.now() - start) / 1000)} s\n${output}`;
	console.log(hasFailed ? `✗ ${script} failed: its output is at the end.` : report);
	if (hasFailed) failures.push(report);
}

if (isGiven('--parallel')) await Promise.all(scripts.map(run));
else for (const script of scripts) await run(script);

for (const failure of failures) console.error(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
