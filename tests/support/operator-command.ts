import { execFile } from 'node:child_process';
import { mutantEnvironment } from '../mutation/mutants.ts';

interface CommandResult {
	code: number;
	stdout: string;
	stderr: string;
}

interface CommandOptions {
	/** The whole environment, beside PATH and HOME. */
	env?: Record<string, string>;
	cwd?: string;
	/** Another version of Node.js. */
	node?: string;
	/** The content of standard input. */
	input?: string;
}

/** Runs a program for operators that `npm run test:build` built, without a terminal. */
export function runCommand(
	program: 'doctor' | 'keys' | 'leads',
	args: string[],
	{ env = {}, cwd = process.cwd(), node = process.execPath, input = '' }: CommandOptions = {},
): Promise<CommandResult> {
	const { PATH = '', HOME = '' } = process.env;
	const file = `${process.cwd()}/var/test/dist/server/${program}.mjs`;
	return new Promise((resolve) => {
		const environment = { PATH, HOME, ...mutantEnvironment(), ...env };
		const { stdin } = execFile(node, [file, ...args], { cwd, env: environment }, (error, stdout, stderr) =>
			resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
		);
		// Most commands end without reading it.
		stdin!.on('error', () => {}).end(input);
	});
}
