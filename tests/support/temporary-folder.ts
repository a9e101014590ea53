import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Tether } from './tether.ts';

/** Returns an object that disposes of all of these, one after another. */
export const disposing = (...resources: AsyncDisposable[]): AsyncDisposable => ({
	async [Symbol.asyncDispose]() {
		for (const resource of resources) await resource[Symbol.asyncDispose]();
	},
});

/** Several tries, because a program that is ending may still write after the first. */
const REMOVAL = 'for try in 1 2 3 4 5; do rm -rf "$target" && exit; sleep 0.2; done';

/** Creates an empty folder, and removes it when it is disposed of or this process ends. */
export async function temporaryFolder(parent = tmpdir()) {
	const tether = new Tether(REMOVAL);
	await mkdir(parent, { recursive: true });
	const folder = await mkdtempDisposable(path.join(parent, 'website-'));
	tether.hold(folder.path);
	const removed = () => folder.remove().then(() => tether[Symbol.dispose]());
	// If a program is still writing, the tether tries again at the end.
	return { path: folder.path, [Symbol.asyncDispose]: () => removed().catch(() => {}) };
}
