import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The contents of a host's folder. Paths are relative to it. */
export interface HostFolder {
	/** Text files, by path. */
	texts: Record<string, string>;
	/** The folder of the public files. Without one the program sends them: it finds them packed beside itself. */
	files?: string;
	/** The program with everything that it loads, and its folder. */
	program: { name: string; folder: string };
	/** Names the part of the site that the host would refuse or leave out, and the remedy. */
	warning?: string | undefined;
}

/** The options of a host's configuration. */
export interface HostOptions {
	/** The product's name for programs. */
	identifier: string;
	/** The id of a Hyperdrive configuration, if there is one. */
	hyperdrive: string | undefined;
}

/** The built programs. */
export interface Programs {
	/** Returns a program and everything that it loads, now or later, by path below `dist/server`. */
	filesOf(program: string): string[];
	/** Returns whether a file needs SQLite, which hosts of functions lack. */
	needsSqlite(file: string): boolean;
}

/** The parts of the build, and their folders. */
export interface Parts {
	client: string;
	server: string;
	/** Public files, by path below `client`. */
	files: string[];
	programs: Programs;
}

/** Writes the folder anew. It is complete, so that it may be copied elsewhere. */
export async function writeFolder(folder: string, { texts, files, program }: HostFolder, parts: Parts): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	if (files === undefined)
		for (const file of ['files.json', 'files.bin'])
			await place(path.join(parts.server, file), path.join(folder, program.folder, file));
	else for (const file of parts.files) await place(path.join(parts.client, file), path.join(folder, files, file));
	const loaded = Map.groupBy(parts.programs.filesOf(program.name), parts.programs.needsSqlite);
	for (const file of loaded.get(false)!) await place(path.join(parts.server, file), path.join(folder, program.folder, file));
	// Settings refuse a SQLite store there, so no function loads these files. Bundlers of hosts still follow the imports.
	const stubs = (loaded.get(true) ?? []).map((file): [string, string] => [path.join(program.folder, file), 'export {};\n']);
	for (const [file, text] of [...Object.entries(texts), ...stubs]) {
		await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
		// Never over a file of that name, which may be a link to the build's own.
		await writeFile(path.join(folder, file), text, { flag: 'wx' });
	}
}

/** Links the file under a second name, which takes no room, or copies it if the disk has no hard links. */
async function place(from: string, to: string): Promise<void> {
	await mkdir(path.dirname(to), { recursive: true });
	await link(from, to).catch(() => copyFile(from, to));
}
