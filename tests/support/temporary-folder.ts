import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** An empty folder of its own, removed when it is disposed. */
export async function temporaryFolder() {
	const folder = await mkdtemp(path.join(tmpdir(), 'anteroom-'));
	// A program that has just been stopped may still write its last.
	return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }) };
}
