import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Ends something with this process, by a shell that outlives it and waits for the end of its input, which no kill prevents. */
export class Tether implements Disposable {
	readonly #input: Socket;

	/** @param end a shell script that ends `$target`; it runs if this process ends before the tether is disposed of */
	constructor(end: string) {
		const script = `read -r target && { read -r disposed || { ${end}; }; }`;
		const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
		this.#input = shell.stdin as Socket;
		this.#input.on('error', () => {});
		this.#input.unref();
		shell.unref();
	}

	/** @param target one line */
	hold(target: string | number): void {
		this.#input.write(`${target}\n`);
	}

	[Symbol.dispose](): void {
		this.#input.end('disposed\n');
	}
}

export type End = 'INT' | 'KILL' | 'QUIT' | 'TERM';

/** Starts a program that ends by `signal` with this process, however that ends. For a `detached` program the whole group ends. */
export function tethered<Child extends ChildProcess>(start: () => Child, signal: End = 'KILL'): Child {
	// The tether starts first: we may be killed between any two lines.
	const tether = new Tether(`kill -s ${signal} -- "-$target" || kill -s ${signal} "$target"`);
	const child = start();
	tether.hold(child.pid ?? '');
	child.once('exit', () => tether[Symbol.dispose]());
	return child;
}
