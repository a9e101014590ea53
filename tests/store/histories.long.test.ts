import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { personHash } from '../../src/store/entry.ts';
import type { Database, Value } from '../../src/store/database.ts';
import { postgresDatabase } from '../../src/store/postgres.ts';
import { unseal } from '../../src/store/seal.ts';
import { sqliteDatabase } from '../../src/store/sqlite.ts';
import { type DeliveryResult, type LeadStore, leadStore, type NewEntry } from '../../src/store/store.ts';
import { newApiKey } from '../support/api-key.ts';
import fc, { type Scheduler, seed } from '../support/fast-check.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { shared } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { announced, claim, HOUR, newEntry, newOnce, NOTICES, quarantined, released, saved, triedIn } from './entries.ts';

/** The histories for each kind of store: more where the seed was drawn, to look for new faults. */
const HISTORIES = Number(process.env['HISTORIES'] ?? (process.env['TEST_SEED'] ? 10_000 : 300));

const [ANA, EVA] = ['ana@clinicasol.example', 'eva@clinicaluna.example'];
/** Longer than all histories together. */
const lease = 24 * HOUR;
const once = { key: 'a mark', fingerprint: 'a lead', lifetime: lease };

/** Fills a store with an entry of each kind and state. @returns their ids */
async function begin(store: LeadStore) {
	const told = await saved(store, quarantined('held', { email: EVA }));
	await store.markNotified(await announced(store));
	const unnotified = await saved(store, quarantined('held', { email: ANA }));
	const notice = await announced(store);
	await triedIn(store, { state: 'sent' }, { email: ANA, once });
	await triedIn(store, { state: 'sent' }, { email: EVA });
	const refused: DeliveryResult = { state: 'parked', reason: '550' };
	const { id: parked } = await triedIn(store, refused, { email: ANA });
	const leased = await saved(store, { email: EVA, channels: ['slack', 'email'] });
	for (const channel of ['slack', 'email']) await claim(store, { channel, owner: 'another', lease });
	const { id: half } = await triedIn(store, refused, { email: EVA, channels: ['email', 'slack'] });
	return {
		notice,
		told,
		unnotified,
		parked,
		half,
		leased,
		held: await saved(store, quarantined('held', { email: ANA })),
		hit: await saved(store, quarantined('faulty', { email: EVA })),
		waiting: await saved(store, { email: EVA, channels: ['email', 'slack'] }),
		waitingToo: await saved(store, { email: ANA }),
		stranded: await saved(store, { email: EVA, channels: ['gone'], wait: -HOUR }),
	};
}

type Beginning = Awaited<ReturnType<typeof begin>>;

class History {
	/** They were saved, or released from quarantine. */
	readonly owed = new Set<string>();
	/** A purge may delete them. */
	readonly done = new Set<string>();
	isPurged = false;
	isErased = false;
	readonly at: Beginning;
	readonly #tried = new Set<string>();

	constructor(at: Beginning) {
		this.at = at;
	}

	async insert(store: LeadStore, entry: Partial<NewEntry> = {}): Promise<void> {
		const whole = newEntry({ email: 'new@clinic.example', ...entry });
		if ((await store.insert(whole)).outcome === 'inserted' && !entry.quarantine) this.owed.add(whole.id);
	}

	async #deliver(store: LeadStore, channel: string, result: DeliveryResult, before?: (id: string) => Promise<void>) {
		const owner = randomUUID();
		const claimed = await claim(store, { channel, owner, limit: 2, lease });
		for (const { id, payload } of claimed) {
			expect(payload, 'What is claimed can be read').not.toBe('{}');
			expect(this.#tried, 'Nobody else tries it').not.toContain(`${id} ${channel}`);
			this.#tried.add(`${id} ${channel}`);
		}
		for (const { id } of claimed) {
			this.#tried.delete(`${id} ${channel}`);
			if (result.state === 'sent') this.done.add(id);
			await before?.(id);
			if (await store.recordResult({ id, channel, owner }, result)) continue;
			const [entry] = await store.find(id);
			const ours = entry?.deliveries.find((delivery) => delivery.channel === channel);
			expect(ours?.state, 'What is being tried is not ended').not.toBe('ended');
		}
	}

	async #purge(store: LeadStore): Promise<void> {
		this.isPurged = true;
		while (!(await store.purge({ age: -1, decisionTime: -1, cap: 0, batch: 2 })).done);
	}

	/** Every operation of the store that reads, decides and writes. */
	readonly operations: Record<string, (store: LeadStore) => Promise<unknown>> = {
		insert: async (store) => {
			for (let turn = 0; turn < 2; turn += 1) await this.insert(store);
		},
		repeat: (store) => this.insert(store, { once }),
		copy: async (store) => {
			const mark = newOnce({ key: randomUUID(), lifetime: lease });
			await this.insert(store, { once: { ...mark, alone: lease } });
			const { outcome } = await store.insert(newEntry({ once: { ...mark, key: mark.fingerprint } }));
			expect(outcome, 'What came with a key and comes again without one is one').toBe('duplicate');
		},
		confirm: (store) => {
			const entries = [newEntry({ kind: 'confirmation', email: ANA, channels: ['confirmation'] })];
			return store.judge(this.at.waitingToo, { verdict: 'clear', signals: [] }, entries);
		},
		hit: (store) => this.insert(store, { quarantine: 'faulty', channels: [] }),
		purge: (store) => this.#purge(store),
		erase: async (store) => {
			this.isErased = true;
			await store.erase(ANA);
		},
		send: (store) => this.#deliver(store, 'email', { state: 'sent', ends: once.key }),
		chat: (store) => this.#deliver(store, 'slack', { state: 'sent' }),
		fail: (store) => this.#deliver(store, 'slack', { state: 'waiting', wait: HOUR, reason: '451' }),
		park: (store) => this.#deliver(store, 'email', { state: 'parked', reason: '550' }),
		judge: async (store) => {
			const { waiting, waitingToo } = this.at;
			for (const id of [waiting, waitingToo]) await store.judge(id, { verdict: 'held', signals: [] });
		},
		release: async (store) => {
			const { told, unnotified, held, hit } = this.at;
			for (const id of [told, unnotified, held, hit]) if (await released(store, id, ['email', 'slack'])) this.owed.add(id);
		},
		spam: async (store) => {
			const { held, parked, waiting } = this.at;
			for (const id of [held, parked, waiting]) {
				this.done.add(id);
				await store.train(id, { verdict: 'spam', signals: [] }, ['a trait', 'another']);
			}
		},
		taken: async (store) => {
			const { leased, waiting } = this.at;
			for (const id of [leased, waiting]) await store.assign(id, 'Rui');
		},
		change: async (store) => {
			const change = async (id: string, by?: string) => store.assign(id, by, (await store.find(id))[0]?.assigned);
			await change(this.at.leased, 'Eva');
			await change(this.at.waiting);
		},
		remind: async (store) => {
			const mark = { key: 'a day', fingerprint: 'a day', lifetime: lease };
			const which = { oldest: lease, youngest: -HOUR, limit: 9 };
			await store.remind(which, (ids) => newEntry({ kind: 'notice', email: null, payload: JSON.stringify(ids), once: mark }));
		},
		retry: async (store) => {
			const { waiting, leased } = this.at;
			for (const which of ['stuck', { id: waiting }, { id: leased }] as const) await store.retry(which, ['email', 'teams']);
		},
		hurry: (store) => store.hurry(['email', 'slack']),
		dismiss: async (store) => {
			const { parked, leased, waiting, waitingToo, half } = this.at;
			for (const id of [parked, leased, waiting, waitingToo, half]) {
				this.done.add(id);
				await store.dismiss(id);
			}
		},
		back: async (store) => {
			const { waiting, waitingToo, half } = this.at;
			for (const id of [waiting, waitingToo, half]) await store.markReturned(id, 'slack', 'the mail came back: 5.2.2');
		},
		again: (store) => store.retry({ id: this.at.parked }, ['email', 'teams']),
		announce: (store) => store.announce(this.at.notice),
		tell: async (store) => {
			const { unnotified, held, waiting, waitingToo } = this.at;
			for (const id of [unnotified, held, waiting, waitingToo]) this.done.add(id);
			await this.#deliver(store, NOTICES, { state: 'sent' }, (notice) => store.markNotified(notice));
			// As after each delivery, where none is kept.
			await this.#purge(store);
		},
		writable: (store) => store.requireWritable(),
		stop: (store) => store.endLeases('another'),
		key: (store) => store.keys.insert(newApiKey()),
		list: async (store) => {
			for (const { payload } of await store.list({ limit: 99 })) expect(payload, 'What is listed can be read').not.toBe('{}');
		},
	};

	/** Checks what every history leaves behind, in whatever order its statements went. */
	check({ entries, deliveries, keys, owners }: Tables, secret: LeadStore['secret']): void {
		const slots = [...entries, ...owners].map(({ key_slot }) => key_slot).filter((slot) => slot !== null);
		expect(new Set(slots).size, 'No two rows share a slot').toBe(slots.length);
		for (const { slot, key, free } of keys) {
			const isZero = (key as Uint8Array).every((byte) => byte === 0);
			const expected = slots.includes(slot!) ? [false, 0] : [true, 1];
			expect([isZero, free], 'The key of what lives is there, and every other is zero').toEqual(expected);
		}
		const living = new Map(entries.filter(({ state }) => state !== 'gone').map((row) => [row['id'], row]));
		const keyOf = new Map(keys.map(({ slot, key }) => [slot, key as Uint8Array]));
		for (const { payload, key_slot } of living.values())
			expect(unseal({ key: keyOf.get(key_slot!)!, text: payload as Uint8Array }), 'What lives can be read').not.toBe('{}');

		const { told: _, notice: __, hit: ___, ...kept } = this.at;
		const ofAna = entries.filter(({ person }) => person === personHash(secret, ANA)).map(({ id }) => id);
		if (this.isErased) expect(ofAna, 'An erased person is nowhere').toEqual([]);
		for (const id of [...this.owed, ...Object.values(kept)]) {
			const { unnotified, held, parked, waitingToo } = this.at;
			const isErased = this.isErased && [unnotified, held, parked, waitingToo].includes(id);
			if (!isErased && !(this.isPurged && this.done.has(id)))
				expect([...living.keys()], 'What was accepted is there').toContain(id);
		}
		expect(entries.filter(({ once: key }) => key === 'a day').length, 'One reminder is saved a day').toBeLessThan(2);
		expect(Math.max(...entries.map(({ reminded }) => Number(reminded))), 'A lead is in it once').toBeLessThan(2);
		expect(entries.filter(({ kind }) => kind === 'confirmation').length, 'A lead is confirmed once').toBeLessThan(2);
		const ways = Map.groupBy(deliveries, ({ entry_id }) => entry_id);
		for (const [id, { state, told_at }] of living) {
			const states = new Set(ways.get(id!)?.map((delivery) => delivery['state']));
			const settled = ['parked', 'waiting'].find((each) => states.has(each));
			if (states.size === 0) expect(['held', 'announced', 'faulty'], 'What is on no way is in quarantine').toContain(state);
			else expect(state, 'An entry stands as its deliveries do').toBe(settled ?? 'delivered');
			if (told_at !== null) expect(state, 'Only what lies in quarantine counts as told of').toBe('announced');
		}
	}
}

type Tables = Record<'entries' | 'deliveries' | 'keys' | 'owners', Record<string, Value>[]>;

/** What a history draws from: all operations or, more often, some that reach for the same rows. */
const groups = [
	Object.keys(new History({} as Beginning).operations),
	['purge', 'insert', 'purge', 'insert', 'erase', 'hit', 'key', 'copy', 'copy'],
	['purge', 'release', 'tell', 'announce', 'purge', 'release', 'tell', 'announce', 'spam', 'erase'],
	['purge', 'send', 'purge', 'park', 'retry', 'judge', 'stop', 'erase'],
	['remind', 'taken', 'change', 'remind', 'spam', 'purge', 'erase'],
	['dismiss', 'chat', 'dismiss', 'chat', 'park', 'hurry', 'retry', 'again', 'purge'],
];

/** The turns of statements: who has one goes on, until it waits for the next. */
class Turns {
	scheduler: Scheduler | undefined;
	#begun = 0;

	/** Holds one process back before the next of its turns but so many, until nobody else can go on: it is frozen. */
	frozen: { process: number; turns: number } | undefined;
	#thaw: (() => void) | undefined;

	async take(process: number): Promise<void> {
		if (this.frozen?.process === process && (this.frozen.turns -= 1) < 0) {
			this.frozen = undefined;
			await new Promise<void>((thaw) => (this.#thaw = thaw));
		}
		return this.scheduler?.schedule(Promise.resolve());
	}

	thaw(): void {
		this.#thaw?.();
		this.#thaw = undefined;
	}

	/** How many have a turn now. */
	get taken(): number {
		return this.#begun - this.scheduler!.count() - (this.#thaw ? 1 : 0);
	}

	async #during<Result>(work: () => Promise<Result>): Promise<Result> {
		this.#begun += 1;
		return work().finally(() => (this.#begun -= 1));
	}

	/** Makes every statement wait for its turn, and every commit. @param perStatement false: a whole transaction has one turn */
	heed = (database: Database, perStatement: boolean, process: number): Database => ({
		...database,
		read: (sql, values) => this.#during(() => this.take(process).then(() => database.read(sql, values))),
		write: (work) =>
			this.#during(async () => {
				await this.take(process);
				if (!perStatement) return database.write(work);
				return database.write(async (run, now) => {
					const result = await work((sql, values) => this.take(process).then(() => run(sql, values)), now);
					await this.take(process);
					return result;
				});
			}),
	});
}

interface Place {
	open: () => Database;
	ask: (statements: string) => Promise<Record<string, Value>[]>;
	locked: () => Promise<number>;
	perStatement: boolean;
}

const TABLES = ['lead_keys', 'lead_entries', 'lead_deliveries', 'lead_traits', 'lead_lessons', 'api_keys'];

/** Tests histories of two or three operations, each in an instance of its own. */
function describeHistories(start: () => Promise<Place & AsyncDisposable>): void {
	const place = shared(start);
	let stores: Database[];
	const turns = new Turns();
	let secret: LeadStore['secret'];
	let at: Beginning;

	beforeAll(async () => {
		stores = Array.from({ length: 3 }, (_, process) => turns.heed(place().open(), place().perStatement, process));
		secret = await stores[0]!.open(true);
		at = await begin(leadStore(stores[0]!, secret));
		for (const table of TABLES) await place().ask(`CREATE TABLE begun_${table} AS SELECT * FROM ${table}`);
	});
	afterAll(async () => {
		for (const store of stores) await store[Symbol.asyncDispose]();
	});

	/** Waits until all that has a turn waits for a lock. */
	async function settle(): Promise<void> {
		do await nextTurn();
		while (turns.taken > 0 && (await place().locked()) < turns.taken);
	}

	async function run(history: History, drawn: string[], scheduler: Scheduler, frozen: Turns['frozen']): Promise<void> {
		const restore = TABLES.map((table) => `INSERT INTO ${table} SELECT * FROM begun_${table}`);
		await place().ask([...TABLES.toReversed().map((table) => `DELETE FROM ${table}`), ...restore].join(';'));
		Object.assign(turns, { scheduler, frozen: frozen && { ...frozen } });
		const running = new Set(drawn.keys());
		const ended = drawn.map((name, index) =>
			history.operations[name]!(leadStore(stores[index]!, secret)).finally(() => running.delete(index)),
		);
		const all = Promise.allSettled(ended);
		while (running.size > 0) {
			await settle();
			if (scheduler.count() > 0) await scheduler.waitNext(1);
			else turns.thaw();
		}
		for (const result of await all) if (result.status === 'rejected') throw result.reason;
		const rows = (table: string) => place().ask(`SELECT * FROM ${table}`);
		const [entries, deliveries] = [await rows('lead_entries'), await rows('lead_deliveries')];
		history.check({ entries, deliveries, keys: await rows('lead_keys'), owners: await rows('api_keys') }, secret);
	}

	test(`${HISTORIES} histories lose, reveal and double nothing (TEST_SEED=${seed})`, async () => {
		const operations = fc.oneof(...groups.map((names) => fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 3 })));
		const frozen = fc.option(fc.record({ process: fc.nat(2), turns: fc.nat(9) }), { nil: undefined, freq: 1 });
		const property = fc.asyncProperty(operations, fc.scheduler(), frozen, (drawn, ...order) =>
			run(new History(at), drawn, ...order),
		);
		await fc.assert(property, { numRuns: HISTORIES });
	});
}

describe('Two processes on one file', () => {
	describeHistories(async () => {
		const folder = await temporaryFolder();
		const file = join(folder.path, 'leads.db');
		return {
			open: () => sqliteDatabase(file),
			async ask(statements) {
				using database = new DatabaseSync(file, { timeout: 5000 });
				if (statements.startsWith('SELECT')) return database.prepare(statements).all() as Record<string, Value>[];
				database.exec(`BEGIN IMMEDIATE; ${statements}; COMMIT`);
				return [];
			},
			locked: async () => 0,
			perStatement: false,
			[Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
		};
	});
});

describe.skipIf(postgresMissing)(postgresMissing ?? 'Instances that share PostgreSQL', () => {
	describeHistories(async () => {
		const postgres = await startPostgres();
		const url = await postgres.createDatabase();
		const client = await connectedTo(url);
		await client.query(`ALTER DATABASE ${client.database} SET deadlock_timeout = '20ms'`);
		const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
		return {
			open: () => postgresDatabase(url),
			ask: async (statements) => (await client.query<Record<string, Value>>(statements)).rows,
			locked: async () => (await client.query<{ count: number }>(waiting)).rows[0]!.count,
			perStatement: true,
			async [Symbol.asyncDispose]() {
				await client.end();
				await postgres[Symbol.asyncDispose]();
			},
		};
	});
});
