import { spawn } from 'node:child_process';
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
