import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { leadOf, postLead } from '../support/post-lead.ts';
import { randomFrom, seed } from '../support/fast-check.ts';
import { missing } from '../support/missing.ts';
import { TestProcess } from '../support/process.ts';
import { nextAnswer, openConnection, posted, statusesOf } from '../support/raw-connection.ts';
import { startServer } from '../support/server.ts';
import { shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The cuts besides those at each answer, the chances at each cut, and the cuts that a restart follows. */
const [RANDOM_CUTS, CHANCES, RESTARTS] = [Number(process.env['POWER_CUTS'] ?? 200), 4, 20];
const [SENDERS, LEADS] = [8, 25];

/** A change to the disk, or an answer of 200 to a lead. */
type Step = DiskEvent | { call: 'answered'; lead: string };

interface Recording {
	/** The folder that was written to. */
	place: string;
	steps: Step[];
	/** Returns what is missing or damaged in a folder with what a power cut has left. */
	faultsIn(folder: string, answered: Set<string>): Promise<string[]>;
}

/** Returns the mails in the mailbox, by file name. */
const mailsIn = (folder: string) =>
	new Map(globSync(`${folder}/mail/box/new/*`).map((file) => [path.basename(file), readFileSync(file, 'utf8')] as const));

const placesIn = (folder: string) => ({ LEAD_MAILBOX: `${folder}/mail/box`, LEAD_STORE: `sqlite:${folder}/var/store/leads.db` });

/** Sends leads to a server until all are in its mailbox, and ends it. */
async function record(settings: Record<string, string>): Promise<Recording & AsyncDisposable> {
	const folder = await temporaryFolder();
	const [place, trace] = [path.join(folder.path, 'disk'), path.join(folder.path, 'trace')];
	await mkdir(place);
	const env = { LEAD_RATE_LIMIT: 'off', ...placesIn(place), ...settings };
	await using server = await startServer(env, tracing(trace, process.execPath), 'strace');
	/** The leads of each connection, by the client's port. */
	const leads = new Map<string, string[]>();
	const sendFrom = async (sender: number) => {
		const socket = await openConnection(server.url);
		const own = Array.from({ length: LEADS }, (_, number) => `lead ${sender}-${number}`);
		leads.set(String(socket.localPort), own);
		for (const message of own) {
			socket.write(posted(JSON.stringify(leadOf({ clinic: 'Sol', message }))));
			expect(statusesOf(await nextAnswer(socket))).toEqual([200]);
		}
		socket.destroy();
	};
	await Promise.all(Array.from({ length: SENDERS }, (_, sender) => sendFrom(sender)));
	await vi.waitFor(() => expect(mailsIn(place).size).toBe(SENDERS * LEADS), 300_000);
	server.process.signal('SIGTERM');
	await ended(trace);

	const steps = [...eventsIn(trace)].flatMap((event): Step[] => {
		if (event.call !== 'said') return [event];
		const port = /->.*:(\d+)\]$/.exec(event.to)?.[1];
		const lead = event.bytes.toString('latin1').startsWith('HTTP/1.1 200 ') && leads.get(port!)?.shift();
		return lead ? [{ call: 'answered', lead }] : [];
	});
	expect([...leads.values()].flat()).toEqual([]);
	const mails = mailsIn(place);
	const faultsIn: Recording['faultsIn'] = (left, answered) => leadsLostIn(left, answered, mails);
	return { place, steps, faultsIn, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Waits until strace has written the end of the program. */
const ended = (trace: string) =>
	vi.waitFor(() => expect(readFileSync(trace, 'latin1').endsWith('+++ exited with 0 +++\n')).toBe(true), 300_000);

interface Cuts {
	/** The steps after which the power is cut. */
	after: (step: Step, index: number) => boolean;
	lucks: Luck[];
	/** The place, below the recorded one, that is never synced. */
	unsynced?: string | undefined;
	/** How many cuts are followed by a restart, which must deliver all leads. */
	restarts?: number;
}

/** Returns what is wrong after the first cut that leaves something wrong, and the number of cuts. */
async function cut({ place, steps, faultsIn }: Recording, { after, lucks, unsynced, restarts = 0 }: Cuts) {
	const disk = new Disk(place);
	const answered = new Set<string>();
	let cuts = 0;
	for (const [index, step] of steps.entries()) {
		if (step.call === 'answered') answered.add(step.lead);
		else if (step.call !== 'synced' || kindOf(place, step.path) !== unsynced) disk.apply(step);
		if (!after(step, index)) continue;
		for (const luck of lucks) {
			await using folder = await temporaryFolder();
			disk.cutInto(folder.path, luck);
			cuts += 1;
			const faults = await faultsIn(folder.path, answered);
			if (faults.length > 0) return { faults, cuts };
			if (luck === NOTHING && cuts % Math.ceil(steps.length / 100) === 0 && restarts-- > 0)
				await expectDelivery(folder.path, answered);
		}
	}
	return { faults: [], cuts };
}

/** Returns a path below the recorded one. All mails being written are one kind. */
const kindOf = (place: string, file: string) => path.relative(place, file).replace(/(?<=box\/tmp\/).*/, '*');

/** Returns the leads that are neither in the mailbox nor waiting in the store, and whether the store is damaged. */
async function leadsLostIn(folder: string, answered: Set<string>, mails: Map<string, string>): Promise<string[]> {
	const whole = [...mailsIn(folder)].filter(([name, raw]) => raw === mails.get(name));
	const safe = new Set(whole.map(([, raw]) => leadIn(raw)));
	const file = path.join(folder, 'var/store/leads.db');
	try {
		if (existsSync(file)) {
			await using store = await openStore({ kind: 'sqlite', path: file });
			using database = new DatabaseSync(file);
			expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
			for (const { payload } of await store.list({ state: 'waiting', limit: 9999 })) safe.add(leadIn(payload));
		}
	} catch (error) {
		return [`the store is damaged: ${String(error)}`];
	}
	return [...answered].filter((lead) => !safe.has(lead)).map((lead) => `${lead} is lost`);
}

const leadIn = (text: string) => /lead \d+-\d+/.exec(text)?.[0] ?? '';

/** Expects a server on what is left to deliver all leads. */
async function expectDelivery(folder: string, answered: Set<string>): Promise<void> {
	await using _ = await startServer({ ...placesIn(folder), LEAD_RATE_LIMIT: 'off' });
	const arrived = () => new Set([...mailsIn(folder).values()].map(leadIn));
	await expect.poll(() => [...answered.difference(arrived())]).toEqual([]);
}

const strace = ['-D', '-f', '-yy', '-xx', '-s', '1000000', '-e', 'signal=none'];
const calls =
	'openat,write,writev,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,sendmsg';

const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const straceMissing = missing('power cut', traces, 'install Debian’s strace, and allow it to trace (ptrace).');

/** The arguments with which strace runs a program and writes its system calls into a file. The program's process is the one started. */
const tracing = (file: string, program: string) => [...strace, '-e', `trace=${calls}`, '-o', file, program];

/** A change to a disk. Each `syncing` has a later `synced` of the same thread. */
type DiskEvent =
	| { call: 'truncate'; path: string; size: number }
	| { call: 'write'; path: string; bytes: Buffer; offset?: number }
	| { call: 'create' | 'folder' | 'remove'; path: string }
	| { call: 'syncing' | 'synced'; path: string; thread: string }
	| { call: 'rename'; path: string; to: string };

/** A step of a program: a change, or what it wrote to a socket or a pipe. */
type Event = DiskEvent | { call: 'said'; to: string; bytes: Buffer };

/** Returns what strace recorded, in order. Calls that failed are left out. */
function* eventsIn(file: string): Generator<Event> {
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
	switch (call?.replace(/(at2?|v)$/, '')) {
		case 'open':
			if (!rest.includes('O_CREAT')) return [];
			return [
				{ call: 'create', path: name! },
				...(rest.includes('O_TRUNC') ? [{ call: 'truncate', path: name!, size: 0 } as const] : []),
			];
		case 'write':
		case 'sendmsg':
			if (!target.startsWith('/')) return [{ call: 'said', to: target, bytes: Buffer.concat(strings) }];
			return [{ call: 'write', path: target, bytes: Buffer.concat(strings) }];
		case 'pwrite64':
			return [{ call: 'write', path: target, bytes: strings[0]!, offset: Number(numbers[1]) }];
		case 'ftruncate':
			return [{ call: 'truncate', path: target, size: Number(numbers[0]) }];
		case 'fsync':
		case 'fdatasync':
			return (['syncing', 'synced'] as const).map((step) => ({ call: step, path: target, thread }));
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

/** How much the disk keeps of the changes that were not synced: numbers from 0 (nothing) to below 1 (everything). */
type Luck = () => number;
const [NOTHING, EVERYTHING]: [Luck, Luck] = [() => 0, () => 1 - Number.EPSILON];

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

	/** Writes into an empty folder what a power cut at this moment leaves. */
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

/** Returns what a disk keeps of a write: nothing, some sectors, or all. */
function partsOf(write: Write, luck: Luck): Write[] {
	const fate = luck();
	if (fate < 1 / 3) return [];
	if (fate >= 2 / 3 || 'size' in write) return [write];
	const { offset, bytes } = write;
	return Array.from({ length: Math.ceil(bytes.length / SECTOR) }, (_, index) => index * SECTOR)
		.filter(() => luck() < 0.5)
		.map((start) => ({ offset: offset + start, bytes: bytes.subarray(start, start + SECTOR) }));
}

/** A folder on a disk that surely keeps only what was synced: names in the order in which they changed, writes in any order. */
class Disk extends Folder {
	readonly #place: string;
	readonly #syncing = new Map<string, [File | Folder, number]>();

	/** @param place the path of the folder, which is empty at first */
	constructor(place: string) {
		super();
		this.#place = place;
	}

	apply(event: DiskEvent): void {
		const { folder, name, entry } = this.#find(event.path) ?? {};
		if (folder === undefined || name === undefined) return;
		const file = entry instanceof File ? entry : undefined;
		if (event.call === 'create' && !entry) folder.name([name, new File()]);
		if (event.call === 'folder') folder.name([name, new Folder()]);
		if (event.call === 'remove') folder.name([name, undefined]);
		if (event.call === 'truncate') file?.write({ size: event.size });
		if (event.call === 'write') file?.write({ offset: event.offset ?? file.size, bytes: event.bytes });
		if (event.call === 'syncing' && entry) this.#syncing.set(event.thread, [entry, entry.unsynced.length]);
		if (event.call === 'synced') {
			const [synced, count = 0] = this.#syncing.get(event.thread) ?? [];
			synced?.sync(count);
		}
		if (event.call !== 'rename') return;
		const to = this.#find(event.to)!;
		if (to.folder === folder) return folder.name([name, undefined], [to.name, entry]);
		to.folder.name([to.name, entry]);
		folder.name([name, undefined]);
	}

	#find(place: string): { folder: Folder; name: string; entry: File | Folder | undefined } | undefined {
		const relative = path.relative(this.#place, place);
		if (relative.startsWith('..')) return undefined;
		if (relative === '') return { folder: this, name: '', entry: this };
		const names = relative.split(path.sep);
		const name = names.pop()!;
		const below = (at: File | Folder | undefined, each: string) => (at instanceof Folder ? at.now.get(each) : undefined);
		const folder = names.reduce<File | Folder | undefined>(below, this);
		return folder instanceof Folder ? { folder, name, entry: folder.now.get(name) } : undefined;
	}
}

describe.skipIf(straceMissing).each([
	['a store', {}],
	['a store that deletes what it has delivered', { LEAD_RETENTION: '0' }],
	['a mailbox alone', { LEAD_STORE: 'none' }],
])('after a power cut, with %s', (_, settings) => {
	const recording = shared(() => record(settings));

	test(`no lead is lost, and the store is sound (TEST_SEED=${seed})`, async () => {
		const random = randomFrom(seed);
		const rate = RANDOM_CUTS / recording().steps.length;
		const { faults, cuts } = await cut(recording(), {
			after: (step) => step.call === 'answered' || random() < rate,
			lucks: [NOTHING, EVERYTHING, ...Array.from({ length: CHANCES }, () => random)],
			restarts: RESTARTS,
		});
		console.log(`${cuts} power cuts in ${recording().steps.length} steps.`);
		expect(faults).toEqual([]);
	});

	test('no sync is superfluous: without any one of them, leads are lost or the store is damaged', async () => {
		const { place, steps } = recording();
		const kinds = new Set(steps.flatMap((step) => (step.call === 'synced' ? kindOf(place, step.path) : [])));
		// SQLite's own, while it makes an empty file a store. A crash then leaves one that can still be made a store.
		kinds.delete('var/store/leads.db-journal');
		const superfluous = [];
		for (const unsynced of kinds) {
			const random = randomFrom(seed);
			const after = (step: Step) => step.call === 'answered' || random() < 0.1;
			const { faults } = await cut(recording(), { after, lucks: [NOTHING, random], unsynced });
			if (faults.length === 0) superfluous.push(unsynced);
		}
		expect(superfluous).toEqual([]);
	});
});

test.skipIf(straceMissing)('after a power cut, a reported backup is whole, and none of its syncs is superfluous', async () => {
	await using folder = await temporaryFolder();
	const [copies, trace] = [`${folder.path}/copies`, `${folder.path}/trace`];
	const env = { LEAD_STORE: `sqlite:${folder.path}/leads.db` };
	await using server = await startServer({ ...env, LEAD_MAILBOX: `${folder.path}/box` });
	await postLead(server.url);
	await mkdir(copies);
	const command = ['var/test/dist/server/leads.mjs', 'backup', `${copies}/leads.db`];
	await using _ = new TestProcess([...tracing(trace, process.execPath), ...command], { env, program: 'strace' });
	await ended(trace);
	const steps = [...eventsIn(trace)].flatMap((event): Step[] => {
		if (event.call !== 'said') return [event];
		return event.bytes.includes('leads.db') ? [{ call: 'answered', lead: 'all' }] : [];
	});
	const faultsIn = async (left: string) => {
		const file = `${left}/leads.db`;
		if (!existsSync(file)) return ['There is no copy.'];
		try {
			await using copy = await openStore({ kind: 'sqlite', path: file });
			return (await copy.list({ limit: 2 })).length === 1 ? [] : ['The copy lacks the lead.'];
		} catch (error) {
			return [String(error)];
		}
	};
	const cutWith = (lucks: Luck[], unsynced?: string) =>
		cut({ place: copies, steps, faultsIn }, { after: ({ call }) => call === 'answered', lucks, unsynced });
	const { faults, cuts } = await cutWith([NOTHING, EVERYTHING, randomFrom(seed)]);
	expect([faults, cuts > 0]).toEqual([[], true]);
	for (const unsynced of ['leads.db.part', '']) expect((await cutWith([NOTHING], unsynced)).faults).not.toEqual([]);
});
