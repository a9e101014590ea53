import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Holds something that must not outlive this process, by a shell that does: it waits for the end of its input, which no kill prevents. */
export class Tether implements Disposable {
	readonly #input: Socket;

	/** @param end a shell script that ends `$target`, to be run when this process ends without having disposed of the tether */
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

/**
 * Starts a program that ends with this process, whatever ends that, and of a program that is `detached` the whole group.
 *
 * @param signal how to end it: KILL, unless it would leave something behind
 */
export function tethered<Child extends ChildProcess>(start: () => Child, signal: 'KILL' | 'QUIT' = 'KILL'): Child {
	// It waits before there is anything to end: between two lines of ours we may be killed, too.
	const tether = new Tether(`kill -s ${signal} -- "-$target" || kill -s ${signal} "$target"`);
	const child = start();
	tether.hold(child.pid ?? '');
	child.once('exit', () => tether[Symbol.dispose]());
	return child;
}
