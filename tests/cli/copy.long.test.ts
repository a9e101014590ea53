import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore, type StorePlace } from '../../src/store/store.ts';
import { askIn } from '../store/ask.ts';
import { saved } from '../store/entries.ts';
import { expectAlive, expectKept, restoreKept } from '../store/kept.ts';
import { runLeads } from '../support/operator-command.ts';
import { postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { shared } from '../support/shared.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

describe.skipIf(postgresMissing)(postgresMissing ?? 'Copying a store', () => {
	const postgres = shared(startPostgres);
	const folder = shared(() => temporaryFolder());
	let files = 0;
	const newPlace = async (kind: StorePlace['kind']): Promise<StorePlace> =>
		kind === 'sqlite'
			? { kind, path: join(folder().path, `${(files += 1)}.db`) }
			: { kind, url: await postgres().createDatabase() };
	const urlOf = (place: StorePlace) => (place.kind === 'sqlite' ? `sqlite:${place.path}` : place.url);
	const copy = (from: StorePlace, to: StorePlace, ...args: string[]) =>
		runLeads(['copy', '--to', urlOf(to), ...args], { LEAD_STORE: urlOf(from) });
	const kinds = ['sqlite', 'postgres'] as const;
	const ways = kinds.flatMap((from) => kinds.map((to) => [from, to] as const));
	const across = ways.filter(([from, to]) => from !== to);

	test.each(ways)('from %s to %s takes all of a store of the first version, and it works there', async (...[kind, other]) => {
		const [from, to] = [await newPlace(kind), await newPlace(other)];
		await restoreKept(from);
		const { code, stdout } = await copy(from, to, '--json');
		const traits = { 'learnt traits': 3, 'traits of deleted leads': 0 };
		const copied = { 'encryption keys': 9, entries: 9, deliveries: 11, ...traits, 'API keys': 1 };
		expect([code, JSON.parse(stdout)]).toEqual([0, { copied }]);
		await using store = await openStore(to);
		await expectKept(store, kind);
		await expectAlive(store);
	});

	describe.concurrent('at once', () => {
		test.each(across)('from %s to %s copies more rows than one page, each as it was, and once only', async (...[kind, other]) => {
			const [from, to] = [await newPlace(kind), await newPlace(other)];
			{
				await using store = await openStore(from);
				for (let turn = 0; turn < 45; turn += 1)
					await Promise.all(Array.from({ length: 10 }, () => saved(store, { channels: ['email', 'slack'] })));
				// A server has opened it, and it holds nothing.
				await using empty = await openStore(to);
				await empty.requireWritable();
			}
			expect(await copy(from, to)).toMatchObject({ code: 0, stdout: expect.stringContaining('450 entries, 900 deliveries') });
			expect(await copy(from, to)).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
			await using store = await openStore(from);
			await using copied = await openStore(to);
			expect(await copied.list({ limit: 999 })).toEqual(await store.list({ limit: 999 }));
		});

		test.each(across)('from %s to %s leaves the new store as it was where a row cannot be copied', async (...[kind, other]) => {
			const [from, to] = [await newPlace(kind), await newPlace(other)];
			{
				await using store = await openStore(from);
				for (let turn = 0; turn < 3; turn += 1) await saved(store);
			}
			// The new store has no entry of it.
			const orphan = `INSERT INTO lead_deliveries (entry_id, channel) VALUES ('none', 'email')`;
			await askIn(from, orphan, false);
			const { code, stderr } = await copy(from, to);
			expect([code, stderr]).toEqual([1, expect.stringMatching(/foreign key/i)]);
			const names = { sqlite: 'SELECT name FROM sqlite_schema', postgres: `SELECT FROM pg_class WHERE relname LIKE 'lead%'` };
			expect(await askIn(to, names[to.kind])).toEqual([]);
			await using store = await openStore(from, { makes: false });
			expect(await store.count()).toMatchObject({ waiting: 3 });
		});

		test('to SQLite takes an empty store of the first version', async () => {
			const [from, to] = [await newPlace('sqlite'), await newPlace('sqlite')];
			await (await openStore(from))[Symbol.asyncDispose]();
			await restoreKept(to, 'DELETE FROM lead_entries', 'DELETE FROM api_keys');
			expect(await copy(from, to)).toMatchObject({ code: 0 });
		});

		test.for(ways)(
			'from %s to %s is refused while a server uses the old store, and loses none of its leads',
			// Beside other tests, only its own `expect` knows for whom it polls.
			async ([kind, other], { expect }) => {
				const [from, to] = [await newPlace(kind), await newPlace(other)];
				await using receiver = await startWebhookReceiver();
				const settings = { LEAD_STORE: urlOf(from), LEAD_WEBHOOK_URL: receiver.url };
				await using server = await startServer(settings);
				expect((await postLead(server.url)).status).toBe(200);
				await expect.poll(async () => (await runLeads(['list'], settings)).stdout).toContain('1 delivered');
				expect(await copy(from, to)).toMatchObject({ code: 1, stderr: expect.stringContaining('uses it') });
				expect((await postLead(server.url, { message: 'after' })).status).toBe(200);
				await expect.poll(() => receiver.requests).toHaveLength(2);
				expect(await server.process.stop()).toBe(0);
				expect(await copy(from, to)).toMatchObject({ code: 0, stdout: expect.stringContaining('2 entries') });
			},
		);

		test('is refused while a server uses the new store, or onto itself', async () => {
			for (const kind of kinds) {
				const [from, to] = [await newPlace('sqlite'), await newPlace(kind)];
				await (await openStore(from))[Symbol.asyncDispose]();
				await using _ = await startServer({ LEAD_STORE: urlOf(to), LEAD_MAILBOX: join(folder().path, 'mailbox') });
				expect(await copy(from, to)).toMatchObject({ code: 1, stderr: expect.stringContaining('uses it') });
				expect(await copy(from, from)).toMatchObject({ code: 1, stderr: expect.stringContaining('uses it') });
			}
		});
	});
});
