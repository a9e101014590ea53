import { setTimeout as wait } from 'node:timers/promises';
import { TestProcess } from '../../support/process.ts';

interface ProgramOptions {
	program: string;
	args: string[];
	env: Record<string, string>;
	/** The URL where it will listen. */
	url: string;
}

/** Starts a program that does not report in our way when it listens. */
export async function startProgram({ program, args, env, url }: ProgramOptions) {
	const started = new TestProcess(args, { program, env });
	let ended = false;
	void started.exit().then(() => (ended = true));
	while (!(await answers(url))) {
		if (ended) throw new Error(`The program ended before it listened:\n${started.output}`);
		await wait(20);
	}
	return { url, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}

const answers = (url: string) =>
	fetch(url).then(
		() => true,
		() => false,
	);
