import { execFile } from 'node:child_process';
import { mutantEnvironment } from '../mutation/mutants.ts';

export interface CommandResult {
	code: number;
	stdout: string;
	stderr: string;
}

/** The operator's command as `npm run test:build` built it, without a terminal; beside PATH and HOME with this environment only. */
export function runLeads(
	args: string[],
	env: Record<string, string> = {},
	cwd = process.cwd(),
	node = process.execPath,
): Promise<CommandResult> {
	const { PATH = '', HOME = '' } = process.env;
	const program = `${process.cwd()}/var/test/dist/server/leads.mjs`;
	return new Promise((resolve) => {
		execFile(node, [program, ...args], { cwd, env: { PATH, HOME, ...mutantEnvironment(), ...env } }, (error, stdout, stderr) =>
			resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
		);
	});
}
