import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { leadSenders } from '../support/lead-senders.ts';
import { connectedTo, postgresMissing, startPostgres } from '../support/postgres.ts';
import { startSalesTeam } from '../support/sales-team.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Each sender waits so long before a request, so that mail servers keep up. */
const [SERVERS, SENDERS, PAUSE_MS] = [2, 8, 250];
/** How many leads are accepted before anything goes wrong, and as many when all is well again. */
const BASELINE = 100;
/** The mail server takes so long for a mail, so that some are on their way at each moment, and a server sends so many at once. */
const [MAIL_TIME_MS, MOST_MAILS] = [100, 8];
/** How many idle connections are opened. PostgreSQL takes 100 by default. */
const IDLE = 300;

/** Long, because all takes longer beside other tests. */
const timeout = 300_000;

interface Stage {
	url: string;
	control: NonNullable<Awaited<ReturnType<typeof startPostgres>>['control']>;
	/** Ends a server with SIGKILL, while it sends mails that no server takes. */
	kill(): Promise<void>;
	restart(): Promise<void>;
	/** Says that the fault ends at this moment: from now on the time counts until all is well again. */
	over(): void;
}

/** The times of faults are those of the comparison, but for `chaos_repeated_kills`, which kills every 20 s for two minutes there. */
const [SECOND, HALF_MINUTE, MINUTE] = [1000, 30_000, 60_000];

/** The scenarios of https://github.com/hardbyte/postgresql-job-queue-benchmarking (`bench_harness/phases.py`), as `src/store/README.md` says them. */
const scenarios: Record<string, (stage: Stage) => Promise<void>> = {
	async chaos_crash_recovery({ kill, restart, over }) {
		await kill();
		over();
		await wait(MINUTE);
		await restart();
	},
	async chaos_postgres_restart({ control, over }) {
		await control.stop();
		await wait(HALF_MINUTE);
		await control.start();
		over();
	},
	async chaos_repeated_kills({ kill, restart, over }) {
		for (let kills = 1; kills <= 6; kills += 1) {
			await wait(9 * SECOND);
			await kill();
			if (kills === 6) over();
			await wait(SECOND);
			await restart();
		}
	},
	async chaos_pg_backend_kill({ url, over }) {
		await using client = await connectedTo(url);
		const others = 'datname = current_database() AND pid <> pg_backend_pid()';
		const working = `${others} AND state IN ('active', 'idle in transaction')`;
		for (const end = performance.now() + MINUTE; performance.now() < end; await wait(SECOND / 2))
			await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${working}`);
		over();
	},
	async chaos_pool_exhaustion({ url, over }) {
		const held: pg.Client[] = [];
		for (const end = performance.now() + MINUTE; performance.now() < end;) {
			const client = new pg.Client(url);
			const [connecting] = held.length < IDLE ? await Promise.allSettled([client.connect()]) : [];
			if (connecting?.status === 'fulfilled') held.push(client);
			// Takes what a server gives back.
			else await wait(SECOND / 10);
		}
		await Promise.all(held.map((client) => client.end()));
		over();
	},
};

describe.skipIf(postgresMissing)('with PostgreSQL, servers lose no lead, and recover', () => {
	test.for(Object.entries(scenarios))('%s', async ([name, fault], { skip }) => {
		await using stack = new AsyncDisposableStack();
		const { createDatabase, control } = stack.use(await startPostgres());
		if (!control) return skip('The server of TEST_POSTGRES_URL is not ours to stop.');
		const url = await createDatabase();
		let held: PromiseWithResolvers<number> | undefined;
		let mailsHeld = 0;
		const judge = async () => {
			await wait(MAIL_TIME_MS);
			if (held) mailsHeld += 1;
			return held?.promise;
		};
		const team = stack.use(await startSalesTeam({ judge }));
		const env = { ...team.settings, LEAD_STORE: url, LEAD_RATE_LIMIT: '1000000/1h', LEAD_RETRY: '1s 1s 1s' };
		const start = () => startServer(env);
		const servers = await Promise.all(Array.from({ length: SERVERS }, start));
		stack.defer(async () => void (await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))));

		// Each request goes to the next server, whether that lives or not.
		let requests = 0;
		const senders = leadSenders(async () => (await wait(PAUSE_MS), servers[requests++ % servers.length]!.url));
		const { accepted, statuses } = senders;
		let isOver = false;
		const sending = senders.send(Infinity, SENDERS, () => !isOver);
		await expect.poll(() => accepted.size).toBeGreaterThan(BASELINE);

		const recovery = Promise.withResolvers<number>();
		let killed: TestServer | undefined;
		/** Returns after how many seconds each server that lives takes leads, and those of before have arrived. */
		const recovered = async () => {
			const [before, since] = [[...accepted], performance.now()];
			const first = servers.filter((server) => server !== killed).map(({ url }) => leadSenders(async () => url));
			await Promise.all([
				...first.map((lead) => lead.send(1, 1)),
				expect.poll(() => team.missing(before), { timeout }).toEqual([]),
			]);
			for (const lead of first) accepted.add([...lead.accepted][0]!);
			return (performance.now() - since) / SECOND;
		};
		const stage: Stage = {
			url,
			control,
			async kill() {
				killed = servers[0]!;
				[held, mailsHeld] = [Promise.withResolvers(), 0];
				// So each server has some.
				await expect.poll(() => mailsHeld).toBeGreaterThan(MOST_MAILS);
				await killed.process.stop('SIGKILL');
				held.resolve(451);
				held = undefined;
			},
			async restart() {
				servers[0] = await start();
			},
			over: () => recovery.resolve(recovered()),
		};
		const [seconds] = await Promise.all([recovery.promise, fault(stage)]);

		const soFar = accepted.size;
		await expect.poll(() => accepted.size).toBeGreaterThan(soFar + BASELINE);
		isOver = true;
		await sending;
		await expect.poll(() => team.missing(accepted), { timeout }).toEqual([]);
		expect(team.doubled()).toEqual([]);
		expect(new Set(statuses.keys()).difference(new Set([0, 200, 503]))).toEqual(new Set());
		console.log(`| \`${name}\` | ${accepted.size} | ${team.missing(accepted).length} | ${Math.ceil(seconds)} |`);
	});
});
