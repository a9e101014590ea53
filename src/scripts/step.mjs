// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program of Node.js as a step of a longer work, and shows its name and the time: on a terminal in one line, which is kept up to
 * date, and in a log in a line a step. The program's `stderr` follows. If it fails, so does this process.
 *
 * @param {string} name
 * @param {string[]} args
 */
export async function step(name, args) {
	const { isTTY } = process.stdout;
	const began = isTTY ? performance.now() : 0;
	const show = () => {
		const seconds = Math.round((performance.now() - began) / 1000);
		process.stdout.write(isTTY ? `\r${name} … ${seconds} s` : `${name} … (${seconds} s so far)\n`);
	};
	show();
	const clock = isTTY ? setInterval(show, 1000) : undefined;
	const errors = await run(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }, (text) => {
		if (isTTY) process.stdout.write('\n');
		process.stderr.write(text);
	});
	clearInterval(clock);
	if (isTTY) process.stdout.write('\n');
	if (errors !== 0) process.exit(errors);
}

/**
 * Runs a program to its end, and passes on the signals that end this process.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(text: string) => void} [print] what the program writes to `stderr`, where that is a pipe
 * @returns {Promise<number>} its exit code
 */
export async function run(program, args, options, print) {
	const child = spawn(program, args, options);
	if (print) child.stderr?.setEncoding('utf8').on('data', print);
	/** @param {NodeJS.Signals} signal */
	const passOn = (signal) => child.kill(signal);
	process.on('SIGINT', passOn).on('SIGTERM', passOn);
	const [code] = await once(child, 'close');
	process.off('SIGINT', passOn).off('SIGTERM', passOn);
	return code ?? 1;
}
