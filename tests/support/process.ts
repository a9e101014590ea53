import { type ChildProcess, spawn, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { Tether } from './tether.ts';

interface ProcessOptions {
	env?: Record<string, string>;
	cwd?: string;
	program?: string;
	/** The user that it runs as, by default ours. */
	user?: User;
	/** Begins a group of its own: the programs that it starts end with it. */
	detached?: boolean;
	/** How it ends at the latest: KILL, unless that would leave something behind. */
	end?: 'INT' | 'KILL' | 'QUIT' | 'TERM';
}

const NO_NAMES = `--import=${pathToFileURL('tests/support/no-names.mjs').href}`;

/** Hides what a developer's own `.env` sets: the program would deliver its leads there. */
const hidden = existsSync('.env') ? Object.keys(parseEnv(readFileSync('.env', 'utf8'))).map((name) => [name, '']) : [];

/** A program under test, with all its output. It ends with this process at the latest. */
export class TestProcess implements AsyncDisposable {
	output = '';
	readonly #child: ChildProcess;
	readonly #end: NodeJS.Signals;
	readonly #exited: Promise<unknown>;
	/** Resolves when it has ended, and all its output and that of the programs it started is read. */
	readonly #closed: Promise<[code: number | null, signal: NodeJS.Signals | null]>;

	/** Runs `node`, or another program, with these arguments and, beside PATH and HOME, only this environment. It knows no name of the network. */
	constructor(args: string[], { env = {}, program = process.execPath, user, end = 'KILL', ...options }: ProcessOptions = {}) {
		this.#end = `SIG${end}`;
		const { PATH = '', HOME = '' } = process.env;
		const ours = options.cwd === undefined ? (Object.fromEntries(hidden) as Record<string, string>) : {};
		const all = { ...options, ...user, env: { ...ours, PATH, HOME, NODE_OPTIONS: NO_NAMES, ...env } };
		// The tether starts first: we may be killed between any two lines.
		const tether = new Tether(`kill -s ${end} -- "-$target" || kill -s ${end} "$target"`);
		this.#child = spawn(program, args, { ...all, stdio: ['ignore', 'pipe', 'pipe'] });
		tether.hold(this.#child.pid ?? '');
		this.#child.once('exit', () => tether[Symbol.dispose]());
		this.#exited = once(this.#child, 'exit');
		this.#closed = once(this.#child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
		for (const stream of [this.#child.stdout!, this.#child.stderr!])
			stream.setEncoding('utf8').on('data', (chunk: string) => {
				this.output += chunk;
				this.#child.emit('output');
			});
	}

	/** Returns the first match of a pattern in the output, as soon as there is one. */
	async printed(pattern: RegExp): Promise<RegExpExecArray> {
		for (let end: unknown; ;) {
			const match = pattern.exec(this.output);
			if (match) return match;
			if (end) throw new Error(`The program ended with ${await this.exit()} before it printed ${pattern}:\n${this.output}`);
			end = await Promise.race([once(this.#child, 'output').then(() => undefined), this.#closed]);
		}
	}

	answers(url: string): Promise<this> {
		return this.until(() => fetch(url).then(Boolean, () => false));
	}

	/** Returns the program when it is up. Rejects with its log, by default all output, if it ends before. */
	async until(isUp: () => Promise<boolean>, log = () => this.output): Promise<this> {
		while (!(await isUp())) {
			if (this.#child.exitCode !== null || this.#child.signalCode !== null)
				throw new Error(`The program ended before it was up:\n${log()}`);
			await wait(20);
		}
		return this;
	}

	get pid(): number {
		return this.#child.pid!;
	}

	signal(signal: NodeJS.Signals): void {
		this.#child.kill(signal);
	}

	/** Sends a signal, and returns what `exit` does. */
	stop(signal: NodeJS.Signals = 'SIGTERM') {
		this.signal(signal);
		return this.exit();
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
		this.signal(this.#end);
		await this.#exited;
	}
}

type User = ReturnType<typeof user>;

export function user(name: string) {
	const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, name])));
	return { uid: uid!, gid: gid! };
}

/** Returns a user for a program that refuses to run as root, or undefined if we are not root. */
export const unlessRoot = (name: string) => (process.getuid?.() === 0 ? user(name) : undefined);
