import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { leadOf, postLead } from '../support/post-lead.ts';
import type { DiskEvent, Luck } from '../support/power-cut.ts';
import { diskAt, eventsIn, EVERYTHING, NOTHING, straceMissing, tracing } from '../support/power-cut.ts';
import { randomFrom, seed } from '../support/fast-check.ts';
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
	place: string;
	steps: Step[];
	/** Returns what is missing or damaged in a folder with what a power cut has left. */
	faultsIn(folder: string, answered: Set<string>): Promise<string[]>;
}

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
	after: (step: Step, index: number) => boolean;
	lucks: Luck[];
	/** The place, below the recorded one, that is never synced. */
	unsynced?: string | undefined;
	/** How many cuts are followed by a restart, which must deliver all leads. */
	restarts?: number;
}

/** Returns what is wrong after the first cut that leaves something wrong, and the number of cuts. */
async function cut({ place, steps, faultsIn }: Recording, { after, lucks, unsynced, restarts = 0 }: Cuts) {
	const disk = diskAt(place);
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

async function expectDelivery(folder: string, answered: Set<string>): Promise<void> {
	await using _ = await startServer({ ...placesIn(folder), LEAD_RATE_LIMIT: 'off' });
	const arrived = () => new Set([...mailsIn(folder).values()].map(leadIn));
	await expect.poll(() => [...answered.difference(arrived())]).toEqual([]);
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
