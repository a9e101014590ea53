import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { tethered } from './tether.ts';

interface ProcessOptions {
	env?: Record<string, string>;
	cwd?: string;
	program?: string | undefined;
}

/** A program under test, with all its output. It ends with this process at the latest. */
export class TestProcess implements AsyncDisposable {
	/** All programs of this test file. */
	static readonly started: TestProcess[] = [];

	output = '';
	readonly env: Record<string, string>;
	readonly #child: ChildProcess;
	readonly #exited: Promise<unknown>;
	/** Resolves when it has ended, and all its output and that of the programs it started is read. */
	readonly #closed: Promise<[code: number | null, signal: NodeJS.Signals | null]>;

	/** Runs `node`, or another program, with these arguments and, beside PATH and HOME, only this environment. */
	constructor(args: string[], { env = {}, cwd = process.cwd(), program = process.execPath }: ProcessOptions = {}) {
		TestProcess.started.push(this);
		this.env = env;
		const { PATH = '', HOME = '' } = process.env;
		const environment = { PATH, HOME, ...env };
		this.#child = tethered(() => spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] }));
		this.#exited = once(this.#child, 'exit');
		this.#closed = once(this.#child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
		for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
			stream.setEncoding('utf8');
			stream.on('data', (chunk: string) => {
				this.output += chunk;
				this.#child.emit('output');
			});
		}
	}

	/** Returns the first match of a pattern in the output, as soon as there is one. */
	async printed(pattern: RegExp): Promise<RegExpExecArray> {
		for (;;) {
			const match = pattern.exec(this.output);
			if (match) return match;
			await Promise.race([
				once(this.#child, 'output'),
				this.#closed.then(([code]) => {
					if (pattern.test(this.output)) return;
					throw new Error(`The program ended with ${code} before it printed ${pattern}:\n${this.output}`);
				}),
			]);
		}
	}

	/** Resolves when there is an answer at a URL. Rejects with all output if the program ends before. */
	async answers(url: string): Promise<void> {
		let ended = false;
		void this.#closed.then(() => (ended = true));
		const answered = () =>
			fetch(url).then(
				() => true,
				() => false,
			);
		while (!(await answered())) {
			if (ended) throw new Error(`The program ended before it answered at ${url}:\n${this.output}`);
			await wait(20);
		}
	}

	get pid(): number {
		return this.#child.pid!;
	}

	signal(signal: NodeJS.Signals): void {
		this.#child.kill(signal);
	}

	/** Returns the exit code, or the signal that ended it, after reading all output. */
	async exit(): Promise<number | NodeJS.Signals> {
		const [code, signal] = await this.#closed;
		return code ?? signal!;
	}

	/** Its log, parsed: one JSON object a line. */
	get log(): Record<string, unknown>[] {
		return this.output
			.split('\n')
			.filter((line) => line.startsWith('{"level"'))
			.map((line) => JSON.parse(line) as Record<string, unknown>);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.signal('SIGKILL');
		await this.#exited;
	}
}
