import { globSync } from 'node:fs';
import { onFreePorts } from '../../support/listening.ts';
import { TestProcess } from '../../support/process.ts';
import { tool } from './tools.ts';

/** Returns the program from a package for this system: no install script runs here that would copy it. */
const programOf = (packages: string, name: string) => globSync(tool(`${packages}/${name}`))[0]!;

export const bun = programOf('@oven/bun-*/bin', 'bun');
export const deno = programOf('@deno/*', 'deno');

/** Starts a program that does not report in our way where it listens, with what it is told of a port. */
export const startProgram = (program: string, toldOf: (port: string) => { args: string[]; env: Record<string, string> }) =>
	onFreePorts(async (port) => {
		const { args, env } = toldOf(String(port));
		const started = new TestProcess(args, { program, env });
		const url = `http://127.0.0.1:${port}`;
		await started.answers(`${url}/api/status`);
		return { url, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
	});
