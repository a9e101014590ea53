import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Tether } from './tether.ts';

/** Mounts a disk of one mebibyte, or of more. Returns undefined if we may not mount. */
export function mountSmallDisk(mebibytes = 1) {
	const tether = new Tether('umount "$target"; rmdir "$target"');
	const path = mkdtempSync(join(tmpdir(), 'disk-'));
	const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path]);
	tether.hold(path);
	const disk = {
		path,
		/** Leaves no room for anything. @returns the function that makes room again */
		fill() {
			const filler = join(path, 'filler');
			expect(() => appendFileSync(filler, Buffer.alloc(mebibytes * 2 ** 20 + 1))).toThrow('ENOSPC');
			return () => rmSync(filler);
		},
		[Symbol.dispose]() {
			spawnSync('umount', [path]);
			// A disk that is still mounted cannot be removed.
			rmdirSync(path);
			tether[Symbol.dispose]();
		},
	};
	if (status === 0) return disk;
	disk[Symbol.dispose]();
	return undefined;
}
