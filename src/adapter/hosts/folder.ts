import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Programs } from '../bundle/programs.ts';

/** The contents of a host's folder. Paths are relative to it. */
export interface HostFolder {
	/** Text files, by path. */
	texts: Record<string, string>;
	/** Where the public files go. */
	files: string;
	/** Which program goes where, with all that it loads. */
	program: { name: string; folder: string };
}

/** Where the parts are, and which there are. */
export interface Parts {
	client: string;
	server: string;
	/** Public files, by path below `client`. */
	files: string[];
	programs: Programs;
}

/** Makes the folder anew, and whole: it may be copied elsewhere. */
export async function writeFolder(folder: string, { texts, files, program }: HostFolder, parts: Parts): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	for (const file of parts.files) await place(path.join(parts.client, file), path.join(folder, files, file));
	const loaded = Map.groupBy(parts.programs.filesOf(program.name), parts.programs.needsSqlite);
	for (const file of loaded.get(false)!) await place(path.join(parts.server, file), path.join(folder, program.folder, file));
	// Settings refuse a SQLite store there, so no function loads these files. Bundlers of hosts follow the imports all the same.
	const stubs = (loaded.get(true) ?? []).map((file): [string, string] => [path.join(program.folder, file), 'export {};\n']);
	for (const [file, text] of [...Object.entries(texts), ...stubs]) {
		await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
		await writeFile(path.join(folder, file), text);
	}
}

/** Links the file under a second name, which takes no room; copies it where the disk has no hard links. */
async function place(from: string, to: string): Promise<void> {
	await mkdir(path.dirname(to), { recursive: true });
	await link(from, to).catch(() => copyFile(from, to));
}
