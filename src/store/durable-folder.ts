import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes a folder, and those above it, for our own user only. A power cut after it has returned leaves all of them. */
export function makeFolder(folder: string): void {
	const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (first === undefined) return;
	for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made)) syncFolder(dirname(made));
}

/** Makes names in a folder durable: a sync of a file covers its content only. Windows cannot open folders, and journals names. */
export function syncFolder(folder: string): void {
	if (process.platform === 'win32') return;
	const descriptor = openSync(folder, 'r');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
