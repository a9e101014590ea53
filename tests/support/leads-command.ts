import { runCommand } from './operator-command.ts';

/** Runs the command for leads, with only this environment beside PATH and HOME. */
export const runLeads = (args: string[], env?: Record<string, string>, cwd?: string, node?: string) =>
	runCommand('leads', args, { env, cwd, node });
