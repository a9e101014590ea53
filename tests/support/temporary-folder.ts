import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Tether } from './tether.ts';

/** What a program writes that is just being ended comes after the first try. */
const REMOVAL = 'for try in 1 2 3 4 5; do rm -rf "$target" && exit; sleep 0.2; done';

/** An empty folder of its own, removed when it is disposed, or when this process ends. */
export async function temporaryFolder(parent = tmpdir()) {
	const tether = new Tether(REMOVAL);
	await mkdir(parent, { recursive: true });
	const folder = await mkdtemp(path.join(parent, 'website-'));
	tether.hold(folder);
	return {
		path: folder,
		async [Symbol.asyncDispose]() {
			// A program that has just been stopped may still write its last.
			await rm(folder, { recursive: true, force: true, maxRetries: 10 });
			tether[Symbol.dispose]();
		},
	};
}
