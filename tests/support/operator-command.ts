import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Finding } from '../../src/cli/doctor/examination.ts';
import { keys } from '../../src/cli/keys.ts';
import { leads } from '../../src/cli/leads.ts';
import { runCommand as runInProcess } from '../../src/cli/command.ts';

interface CommandOptions {
	/** All variables; a program of its own has PATH and HOME too. */
	env?: Record<string, string>;
	/** Answers a question; a program of its own asks none. */
	ask?: (question: string) => Promise<boolean>;
	/** The Node.js of a program of its own. */
	node?: string;
}

const programs = { keys, leads };

type Program = 'doctor' | keyof typeof programs;

/** Runs a command without a terminal: in this process or, for the doctor and with a Node.js of its own, as the built program. */
export async function runCommand(name: Program, args: string[], { env = {}, ask, node }: CommandOptions = {}) {
	if (name !== 'doctor' && node === undefined) {
		const printed = { stdout: '', stderr: '' };
		const stdout = (text: string) => void (printed.stdout += text);
		const stderr = (text: string) => void (printed.stderr += text);
		const terminal = { program: `node ${name}.mjs`, stdout, stderr, ask, environment: env };
		const code = await runInProcess(programs[name], args, terminal);
		return { code, ...printed };
	}
	const { PATH = '', HOME = '' } = process.env;
	const command = [`var/test/dist/server/${name}.mjs`, ...args];
	return promisify(execFile)(node ?? process.execPath, command, { env: { PATH, HOME, ...env } }).then(
		(printed) => ({ code: 0, ...printed }),
		(error: Record<'stdout' | 'stderr', string> & { code: number }) => error,
	);
}

export const runLeads = (args: string[], env?: Record<string, string>, options?: CommandOptions) =>
	runCommand('leads', args, { env, ...options });

export async function runDoctor(args: string[], env: Record<string, string> = {}, node?: string) {
	const { code, stdout, stderr } = await runCommand('doctor', [...args, '--json'], { env: { LEAD_STORE: 'none', ...env }, node });
	if (stderr !== '') throw new Error(stderr);
	const { checks: findings } = JSON.parse(stdout) as { checks: (Finding & { check: string })[] };
	const complaints = findings.filter(({ outcome }) => outcome === 'warning' || outcome === 'fault');
	return { code, findings, complaints };
}
