import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const strace = ['-D', '-f', '-yy', '-xx', '-s', '1000000', '-e', 'signal=none'];
const calls =
	'openat,write,writev,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,sendmsg';

export const straceMissing =
	spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
		? undefined
		: 'power cut tests skipped: install Debian’s strace, and allow it to trace (ptrace).';
if (straceMissing) console.warn(straceMissing);

/** The arguments with which strace runs a program and writes its system calls into a file. The program's process is the one started. */
export const tracing = (file: string, program: string) => [...strace, '-e', `trace=${calls}`, '-o', file, program];

/** A step of a program, in the order in which it took them. Each `syncing` has a later `synced` of the same thread. */
export type Event = { thread: string } & (
	| { call: 'create' | 'truncate'; path: string; size: number }
	| { call: 'write'; path: string; bytes: Buffer; offset: number | undefined }
	| { call: 'folder' | 'remove' | 'syncing' | 'synced'; path: string }
	| { call: 'rename'; path: string; to: string }
	/** It wrote to a socket or a pipe. */
	| { call: 'said'; to: string; bytes: Buffer }
);

/** Returns what strace recorded. Calls that failed are left out. */
export function* eventsIn(file: string): Generator<Event> {
	const begun = new Map<string, string>();
	for (const line of readFileSync(file, 'latin1').split('\n')) {
		const [, thread, text] = /^(\d+) +(.*)$/.exec(line) ?? [];
		if (thread === undefined || text === undefined) continue;
		const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1];
		const call = resumed === undefined ? text.replace(/ ?<unfinished \.\.\.>$/, '') : begun.get(thread)! + resumed;
		const begins = resumed === undefined;
		const ends = call.length === text.length || !begins;
		begun.set(thread, call);
		const succeeded = / = \d+[^=]*$/.test(call);
		for (const event of eventsOf(call)) {
			const isSaid = event.call === 'said' || event.call === 'syncing';
			// The reader may have it, and a sync may cover no more, before the call returns.
			if (isSaid ? begins : ends && succeeded) yield { thread, ...event };
		}
	}
}

/** A change to a disk. */
export type DiskEvent = Exclude<Event, { call: 'said' }>;

type Untold<Type> = Type extends unknown ? Omit<Type, 'thread'> : never;

function eventsOf(text: string): Untold<Event>[] {
	const [, call, descriptor, rest = ''] = /^(\w+)\((?:\d+<((?:\\x..)+|\w+:\[.*?\])>)?(.*)$/s.exec(text) ?? [];
	const target = decoded(descriptor ?? '').toString();
	const strings = [...rest.matchAll(/"((?:\\x..)*)"/g)].map(([, hex]) => decoded(hex!));
	const numbers =
		rest
			.replaceAll(/"[^"]*"/g, '')
			.split(' = ')[0]!
			.match(/\d+/g) ?? [];
	const [name, other] = strings.map(String);
	switch (call?.replace(/(at2?|v)$/, '')) {
		case 'open': {
			if (!rest.includes('O_CREAT')) return [];
			const truncated = rest.includes('O_TRUNC') ? [{ call: 'truncate', path: name!, size: 0 } as const] : [];
			return [{ call: 'create', path: name!, size: 0 }, ...truncated];
		}
		case 'write':
		case 'sendmsg':
			if (!target.startsWith('/')) return [{ call: 'said', to: target, bytes: Buffer.concat(strings) }];
			return [{ call: 'write', path: target, bytes: Buffer.concat(strings), offset: undefined }];
		case 'pwrite64':
			return [{ call: 'write', path: target, bytes: strings[0]!, offset: Number(numbers[1]) }];
		case 'ftruncate':
			return [{ call: 'truncate', path: target, size: Number(numbers[0]) }];
		case 'fsync':
		case 'fdatasync':
			return (['syncing', 'synced'] as const).map((step) => ({ call: step, path: target }));
		case 'rename':
			return [{ call: 'rename', path: name!, to: other! }];
		case 'unlink':
		case 'rmdir':
			return [{ call: 'remove', path: name! }];
		case 'mkdir':
			return [{ call: 'folder', path: name! }];
		default:
			return [];
	}
}

/** The bytes of a text in which strace has written each as `\x2f`, or the text itself. */
const decoded = (text: string) =>
	text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text, 'latin1');

type Write = { offset: number; bytes: Buffer } | { size: number };
type Names = Map<string, File | Folder>;
/** Sets names of a folder, all or none; undefined removes one. */
type Naming = [name: string, entry: File | Folder | undefined][];

class File {
	kept = Buffer.alloc(0);
	size = 0;
	readonly unsynced: Write[] = [];

	write(write: Write): void {
		this.unsynced.push(write);
		this.size = 'size' in write ? write.size : Math.max(this.size, write.offset + write.bytes.length);
	}

	sync(count: number): void {
		for (const write of this.unsynced.splice(0, count)) this.kept = written(this.kept, write);
	}
}

class Folder {
	readonly now: Names = new Map();
	readonly kept: Names = new Map();
	readonly unsynced: Naming[] = [];

	name(naming: Naming): void {
		rename(this.now, naming);
		this.unsynced.push(naming);
	}

	sync(count: number): void {
		for (const naming of this.unsynced.splice(0, count)) rename(this.kept, naming);
	}
}

const rename = (names: Names, naming: Naming) => {
	for (const [name, entry] of naming)
		if (entry) names.set(name, entry);
		else names.delete(name);
};

function written(content: Buffer, write: Write): Buffer<ArrayBuffer> {
	const end = 'size' in write ? write.size : Math.max(content.length, write.offset + write.bytes.length);
	const result = Buffer.alloc(end);
	content.copy(result);
	if ('bytes' in write) write.bytes.copy(result, write.offset);
	return result;
}

/** How much the disk keeps of the changes that were not synced. */
export type Luck = 'nothing' | 'everything' | (() => number);

/** The smallest part of a write that a disk keeps or loses as a whole, in bytes. */
const SECTOR = 512;

/** A folder on a disk that surely keeps only what was synced: names in the order in which they changed, writes in any order. */
export class Disk {
	readonly #root = new Folder();
	readonly #place: string;
	readonly #syncing = new Map<string, [File | Folder, number]>();

	/** @param place the path of the folder, which is empty at first */
	constructor(place: string) {
		this.#place = place;
	}

	apply(event: DiskEvent): void {
		const found = this.#find(event.path);
		if (!found) return;
		const { folder, name, entry } = found;
		const file = entry instanceof File ? entry : undefined;
		if (event.call === 'create' && !entry) folder.name([[name, new File()]]);
		if (event.call === 'folder') folder.name([[name, new Folder()]]);
		if (event.call === 'remove') folder.name([[name, undefined]]);
		if (event.call === 'rename') this.#rename(folder, name, event.to);
		if (event.call === 'truncate') file?.write({ size: event.size });
		if (event.call === 'write') file?.write({ offset: event.offset ?? file.size, bytes: event.bytes });
		if (event.call === 'syncing' && entry) this.#syncing.set(event.thread, [entry, entry.unsynced.length]);
		if (event.call !== 'synced') return;
		const [synced, count] = this.#syncing.get(event.thread) ?? [];
		synced?.sync(count!);
	}

	#rename(from: Folder, name: string, path: string): void {
		const to = this.#find(path)!;
		const entry = from.now.get(name);
		if (to.folder === from)
			return from.name([
				[name, undefined],
				[to.name, entry],
			]);
		to.folder.name([[to.name, entry]]);
		from.name([[name, undefined]]);
	}

	#find(place: string): { folder: Folder; name: string; entry: File | Folder | undefined } | undefined {
		const relative = path.relative(this.#place, place);
		if (relative.startsWith('..')) return undefined;
		if (relative === '') return { folder: this.#root, name: '', entry: this.#root };
		const names = relative.split(path.sep);
		const last = names.pop()!;
		let folder: File | Folder | undefined = this.#root;
		for (const name of names) folder = folder instanceof Folder ? folder.now.get(name) : undefined;
		return folder instanceof Folder ? { folder, name: last, entry: folder.now.get(last) } : undefined;
	}

	/** Writes into an empty folder what a power cut at this moment leaves. */
	cutInto = (target: string, luck: Luck): void => leave(this.#root, target, luck);
}

function leave(entry: File | Folder, target: string, luck: Luck): void {
	if (entry instanceof File) {
		let content: Buffer = entry.kept;
		for (const write of entry.unsynced) for (const part of keptOf(write, luck)) content = written(content, part);
		writeFileSync(target, content);
		return;
	}
	mkdirSync(target, { recursive: true });
	const names = new Map(entry.kept);
	const { length } = entry.unsynced;
	const count = luck === 'nothing' ? 0 : luck === 'everything' ? length : Math.floor(luck() * (length + 1));
	for (const naming of entry.unsynced.slice(0, count)) rename(names, naming);
	for (const [name, each] of names) leave(each, path.join(target, name), luck);
}

function keptOf(write: Write, luck: Luck): Write[] {
	if (luck === 'nothing') return [];
	if (luck === 'everything') return [write];
	if ('size' in write) return luck() < 0.5 ? [write] : [];
	const { offset, bytes } = write;
	const parts = Array.from({ length: Math.ceil(bytes.length / SECTOR) }, (_, index) => ({
		offset: offset + index * SECTOR,
		bytes: bytes.subarray(index * SECTOR, (index + 1) * SECTOR),
	}));
	const fate = luck();
	if (fate < 1 / 3) return [];
	return fate < 2 / 3 ? [write] : parts.filter(() => luck() < 0.5);
}
