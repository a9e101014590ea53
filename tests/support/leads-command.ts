import { runCommand } from './operator-command.ts';

/** The command for leads; beside PATH and HOME with this environment only. */
export const runLeads = (args: string[], env?: Record<string, string>, cwd?: string, node?: string) =>
	runCommand('leads', args, { env, cwd, node });
