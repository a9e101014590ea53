import { globSync } from 'node:fs';
import { onFreePorts } from '../../support/listening.ts';
import { TestProcess } from '../../support/process.ts';
import { disposing } from '../../support/temporary-folder.ts';
import { tool } from './tools.ts';

/** Returns the program from a package for this system: no install script runs here that would copy it. */
const programOf = (packages: string, name: string) => globSync(tool(`${packages}/${name}`))[0]!;

export const bun = programOf('@oven/bun-*/bin', 'bun');
export const deno = programOf('@deno/*', 'deno');

/** Starts a program that does not report in our way where it listens, with what it is told of a port. */
export async function startProgram(program: string, toldOf: (port: string) => { args: string[]; env: Record<string, string> }) {
	const { started, port } = await onFreePorts((port) => {
		const { args, env } = toldOf(String(port));
		return new TestProcess(args, { program, env }).answers(`http://127.0.0.1:${port}/api/status`);
	});
	return { url: `http://127.0.0.1:${port}`, ...disposing(started) };
}
