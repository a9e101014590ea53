import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { must } from '../../values/value.ts';

/** A folder that is there and may be written, or that can be made. */
export const writableFolder = z
	.string()
	.refine(
		(value) => isWritableFolder(nearest(resolve(value))),
		must('a folder that this process may write, or can make', 'var/mailbox'),
	);

/** The path or, where nothing is there, the nearest folder above it. */
const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

function isWritableFolder(path: string): boolean {
	try {
		accessSync(path, constants.W_OK | constants.X_OK);
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
