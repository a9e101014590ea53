import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** An empty folder of its own, removed when it is disposed. */
export async function temporaryFolder() {
	const folder = await mkdtemp(path.join(tmpdir(), 'anteroom-'));
	return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
