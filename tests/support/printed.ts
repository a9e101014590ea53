import type { Readable } from 'node:stream';

/** Returns when a program has printed the pattern. Discards its later output. */
export async function printed(stream: Readable, pattern: RegExp): Promise<void> {
	let output = '';
	for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
		output += String(chunk);
		if (pattern.test(output)) break;
	}
	if (!pattern.test(output)) throw new Error(`The program ended before it was ready:\n${output}`);
	// Only now: the iterator would stop it again, and the program would wait for a reader.
	stream.resume();
}
