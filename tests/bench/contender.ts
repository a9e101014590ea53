import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onFreePorts } from '../support/listening.ts';
import { answered, type Load, onCore } from './load.ts';

/** A server under measurement, alone on its core. */
export type Contender = Awaited<ReturnType<typeof startProgram>>;

/** Counts every submission and refuses none, because all of them come from one address. */
const COUNTING = '100000000/10m';

/** Starts the production server of the test build, with the product's defaults: its limit counts. */
export const startOurs = (env: Record<string, string>) =>
	startProgram('var/test/dist/server/entry.mjs', { LEAD_RATE_LIMIT: COUNTING, ...env });

/** Runs a program with `node` and drops its log. Resolves at its first answer to the health check. */
export async function startProgram(program: string, env: Record<string, string>) {
	const { started } = await onFreePorts(async (port) => {
		const url = `http://127.0.0.1:${port}`;
		const { PATH = '' } = process.env;
		const start = performance.now();
		const child = spawn(...onCore(0, process.execPath, [program]), {
			env: { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		let complaints = '';
		child.stderr.on('data', (chunk: Buffer) => (complaints += String(chunk)));
		while (!(await isUp(`${url}/api/status`)))
			if (child.exitCode !== null) throw new Error(`The server for ${url} has ended:\n${complaints}`);
		return {
			url,
			pid: child.pid!,
			/** From the start of its process to its first answer, in milliseconds. */
			started: performance.now() - start,
			/** Stops the process, so that its other work takes no time from the contenders. */
			pause: () => child.kill('SIGSTOP'),
			resume: () => child.kill('SIGCONT'),
			async [Symbol.asyncDispose]() {
				const exit = once(child, 'exit');
				child.kill('SIGKILL');
				await exit;
			},
		};
	});
	return started;
}

const isUp = async (url: string) => (await fetch(url).catch(() => undefined))?.ok;

/** Returns the processor time of an answer, in microseconds: other programs on the machine hardly change it. */
export async function costOf(server: Contender, path: string, load?: Load): Promise<number> {
	const start = processorTime(server);
	const { requests } = await answered(server.url + path, load);
	return (processorTime(server) - start) / requests;
}

/** Returns the processor time of a server so far, in microseconds. Only Linux tells it so, in hundredths of a second (proc(5)). */
function processorTime({ pid }: Contender): number {
	const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
	return (Number(user) + Number(system)) * 10_000;
}
