import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { missing } from './missing.ts';

const strace = ['-D', '-f', '-yy', '-xx', '-s', '1000000', '-e', 'signal=none'];
const calls =
	'openat,write,writev,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,sendmsg';

const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
export const straceMissing = missing('power cut', traces, 'install Debian’s strace, and allow it to trace (ptrace).');

/** The arguments with which strace runs a program and writes its system calls into a file. The program's process is the one started. */
export const tracing = (file: string, program: string) => [...strace, '-e', `trace=${calls}`, '-o', file, program];

/** A change to a disk. Each `syncing` has a later `synced` of the same thread. */
export type DiskEvent =
	| { call: 'truncate'; path: string; size: number }
	| { call: 'write'; path: string; bytes: Buffer; offset?: number }
	| { call: 'create' | 'folder' | 'remove'; path: string }
	| { call: 'syncing' | 'synced'; path: string; thread: string }
	| { call: 'rename'; path: string; to: string };

/** A step of a program: a change, or what it wrote to a socket or a pipe. */
type Event = DiskEvent | { call: 'said'; to: string; bytes: Buffer };

/** Returns what strace recorded, in order. Calls that failed are left out. */
export function* eventsIn(file: string): Generator<Event> {
	const begun = new Map<string, string>();
	for (const line of readFileSync(file, 'latin1').split('\n')) {
		const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
		const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
		const begins = resumed === undefined;
		const call = begins ? text.replace(/ ?<unfinished \.\.\.>$/, '') : begun.get(thread)! + resumed;
		const ends = !begins || call === text;
		begun.set(thread, call);
		const succeeded = / = \d+[^=]*$/.test(call);
		for (const event of eventsOf(call, thread)) {
			const isSaid = event.call === 'said' || event.call === 'syncing';
			// The reader may have it, and a sync may cover no more, before the call returns.
			if (isSaid ? begins : ends && succeeded) yield event;
		}
	}
}

function eventsOf(text: string, thread: string): Event[] {
	const [, call, descriptor, rest = ''] = /^(\w+)\((?:\d+<((?:\\x..)+|\w+:\[.*?\])>)?(.*)$/s.exec(text) ?? [];
	const target = decoded(descriptor ?? '').toString();
	const strings = [...rest.matchAll(/"((?:\\x..)*)"/g)].map(([, hex]) => decoded(hex!));
	const [passed = ''] = rest.replaceAll(/"[^"]*"/g, '').split(' = ');
	const numbers = passed.match(/\d+/g) ?? [];
	const [name, other] = strings.map(String);
	const said = (): Event[] => {
		const bytes = Buffer.concat(strings);
		return target.startsWith('/') ? [{ call: 'write', path: target, bytes }] : [{ call: 'said', to: target, bytes }];
	};
	const synced = (): Event[] => (['syncing', 'synced'] as const).map((step) => ({ call: step, path: target, thread }));
	const removed = (): Event[] => [{ call: 'remove', path: name! }];
	const emptied = { call: 'truncate', path: name!, size: 0 } as const;
	const made = (): Event[] => [{ call: 'create', path: name! }, ...(rest.includes('O_TRUNC') ? [emptied] : [])];
	const events: Record<string, () => Event[]> = {
		open: () => (rest.includes('O_CREAT') ? made() : []),
		write: said,
		sendmsg: said,
		pwrite64: () => [{ call: 'write', path: target, bytes: strings[0]!, offset: Number(numbers[1]) }],
		ftruncate: () => [{ call: 'truncate', path: target, size: Number(numbers[0]) }],
		fsync: synced,
		fdatasync: synced,
		rename: () => [{ call: 'rename', path: name!, to: other! }],
		unlink: removed,
		rmdir: removed,
		mkdir: () => [{ call: 'folder', path: name! }],
	};
	return events[call?.replace(/(at2?|v)$/, '') ?? '']?.() ?? [];
}

/** The bytes of a text in which strace has written each as `\x2f`, or the text itself. */
const decoded = (text: string) =>
	text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text, 'latin1');

type Write = { offset: number; bytes: Buffer } | { size: number };
type Names = Map<string, File | Folder>;
/** Sets names of a folder, all or none; undefined removes one. */
type Naming = [name: string, entry: File | Folder | undefined][];

/** How much the disk keeps of the changes that were not synced: numbers from 0 (nothing) to below 1 (everything). */
export type Luck = () => number;
export const [NOTHING, EVERYTHING]: [Luck, Luck] = [() => 0, () => 1 - Number.EPSILON];

/** The smallest part of a write that a disk keeps or loses as a whole, in bytes. */
const SECTOR = 512;

class File {
	size = 0;
	readonly unsynced: Write[] = [];
	#kept: Buffer = Buffer.alloc(0);

	write(write: Write): void {
		this.unsynced.push(write);
		this.size = 'size' in write ? write.size : Math.max(this.size, write.offset + write.bytes.length);
	}

	sync(count: number): void {
		this.#kept = this.unsynced.splice(0, count).reduce(written, this.#kept);
	}

	cutInto(target: string, luck: Luck): void {
		writeFileSync(target, this.unsynced.flatMap((write) => partsOf(write, luck)).reduce(written, this.#kept));
	}
}

class Folder {
	readonly now: Names = new Map();
	readonly unsynced: Naming[] = [];
	readonly #kept: Names = new Map();

	name(...naming: Naming): void {
		rename(this.now, naming);
		this.unsynced.push(naming);
	}

	sync(count: number): void {
		for (const naming of this.unsynced.splice(0, count)) rename(this.#kept, naming);
	}

	cutInto(target: string, luck: Luck): void {
		mkdirSync(target, { recursive: true });
		const names = new Map(this.#kept);
		const count = Math.floor(luck() * (this.unsynced.length + 1));
		for (const naming of this.unsynced.slice(0, count)) rename(names, naming);
		for (const [name, entry] of names) entry.cutInto(path.join(target, name), luck);
	}
}

function rename(names: Names, naming: Naming): void {
	for (const [name, entry] of naming)
		if (entry) names.set(name, entry);
		else names.delete(name);
}

function written(content: Buffer, write: Write): Buffer {
	const end = 'size' in write ? write.size : Math.max(content.length, write.offset + write.bytes.length);
	const result = Buffer.alloc(end);
	content.copy(result);
	if ('bytes' in write) write.bytes.copy(result, write.offset);
	return result;
}

function partsOf(write: Write, luck: Luck): Write[] {
	const fate = luck();
	if (fate < 1 / 3) return [];
	if (fate >= 2 / 3 || 'size' in write) return [write];
	const { offset, bytes } = write;
	return Array.from({ length: Math.ceil(bytes.length / SECTOR) }, (_, index) => index * SECTOR)
		.filter(() => luck() < 0.5)
		.map((start) => ({ offset: offset + start, bytes: bytes.subarray(start, start + SECTOR) }));
}

/**
 * Returns a folder on a disk that surely keeps only what was synced: names in the order in which they changed, writes in any order.
 * @param place its path. It is empty at first
 */
export function diskAt(place: string) {
	const root = new Folder();
	const syncing = new Map<string, [File | Folder, number]>();

	function find(file: string): { folder: Folder; name: string; entry: File | Folder | undefined } | undefined {
		const relative = path.relative(place, file);
		if (relative.startsWith('..')) return undefined;
		if (relative === '') return { folder: root, name: '', entry: root };
		const names = relative.split(path.sep);
		const name = names.pop()!;
		let folder: File | Folder | undefined = root;
		for (const each of names) folder = folder instanceof Folder ? folder.now.get(each) : undefined;
		return folder instanceof Folder ? { folder, name, entry: folder.now.get(name) } : undefined;
	}

	return {
		apply(event: DiskEvent): void {
			const { folder, name, entry } = find(event.path) ?? {};
			if (folder === undefined || name === undefined) return;
			const file = entry instanceof File ? entry : undefined;
			if (event.call === 'create' && !entry) folder.name([name, new File()]);
			if (event.call === 'folder') folder.name([name, new Folder()]);
			if (event.call === 'remove') folder.name([name, undefined]);
			if (event.call === 'truncate') file?.write({ size: event.size });
			if (event.call === 'write') file?.write({ offset: event.offset ?? file.size, bytes: event.bytes });
			if (event.call === 'syncing' && entry) syncing.set(event.thread, [entry, entry.unsynced.length]);
			if (event.call === 'synced') {
				const [synced, count = 0] = syncing.get(event.thread) ?? [];
				synced?.sync(count);
			}
			if (event.call !== 'rename') return;
			const to = find(event.to)!;
			if (to.folder === folder) return folder.name([name, undefined], [to.name, entry]);
			to.folder.name([to.name, entry]);
			folder.name([name, undefined]);
		},
		cutInto: (target: string, luck: Luck) => root.cutInto(target, luck),
	};
}
