import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tether } from './tether.ts';

/** Mounts a disk of one mebibyte, or of more. Returns undefined if we may not mount. */
export function mountSmallDisk(mebibytes = 1): ({ path: string } & Disposable) | undefined {
	const tether = new Tether('umount "$target"; rmdir "$target"');
	const path = mkdtempSync(join(tmpdir(), 'disk-'));
	const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path]);
	tether.hold(path);
	const remove = () => {
		rmdirSync(path);
		tether[Symbol.dispose]();
	};
	if (status !== 0) return void remove();
	return {
		path,
		[Symbol.dispose]() {
			execFileSync('umount', [path]);
			remove();
		},
	};
}
