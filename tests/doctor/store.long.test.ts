import { expect, test } from 'vitest';
import { OLDEST_NODE } from '../../src/programs/node-version.ts';
import { runDoctor } from '../support/doctor-command.ts';
import { NOBODY } from '../support/listening.ts';
import { nodeProgram } from '../support/node-program.ts';
import { postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startStoring } from '../support/storing-server.ts';

/** Returns the doctor's findings about the store, by check. Nothing answers at the origin. */
async function examineStore(env: Record<string, string>, node?: string) {
	const { findings } = await runDoctor([`http://${NOBODY}`], env, node);
	const ofStore = findings.filter(({ check }) => check.startsWith('store: '));
	return Object.fromEntries(ofStore.map(({ check, outcome, found }) => [check.slice(7), `${outcome}: ${found}`]));
}

test('of a store where everything is delivered nothing is complained of', async () => {
	await using storing = await startStoring();
	await postLead(storing.server.url);
	await storing.server.process.printed(/Delivered/);
	expect(await examineStore(storing.env)).toEqual({
		version: expect.stringMatching(/^ok: SQLite 3\.\d+\.\d+ in Node\.js /),
		disk: expect.stringMatching(/^ok: \d+ MB free$/),
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
});

test('a SQLite that may damage its file is told of', async () => {
	await using storing = await startStoring();
	const { version } = await examineStore(storing.env, await nodeProgram(OLDEST_NODE));
	expect(version).toMatch(/^warning: SQLite 3\.4\d\.\d in Node\.js 22\.13\.0$/);
});

test('a lead that waits is told of with its age, once that is more than an hour', async () => {
	await using storing = await startStoring({}, { status: 500 });
	await postLead(storing.server.url);
	await storing.receiver.received(1);
	expect((await examineStore(storing.env))['waiting']).toMatch(/^ok: 1 waiting, the oldest for \d+ seconds?$/);
	using database = storing.database();
	database.exec('UPDATE lead_entries SET received_at = received_at - 7_200_000');
	expect((await examineStore(storing.env))['waiting']).toBe('warning: 1 waiting, the oldest for 2 hours');
});

test('a full disk is a fault', async ({ skip }) => {
	using disk = mountSmallDisk();
	if (disk === undefined) return skip('only root may mount a small disk');
	await using server = await startServer({ LEAD_STORE: `sqlite:${disk.path}/leads.db` });
	expect((await examineStore(server.process.env))['disk']).toMatch(/^fault: 0 MB free$/);
});

test('where there is no store here it says so, and makes none', async () => {
	const found = 'skipped: LEAD_STORE is none';
	expect(await examineStore({})).toEqual({ version: found, disk: found, waiting: found, parked: found });
	const { parked } = await examineStore({ LEAD_STORE: 'sqlite:var/no-such-folder/leads.db' });
	expect(parked).toMatch(/^skipped: no store at \/.*\/var\/no-such-folder\/leads\.db: run this where the server runs$/);
});

test.skipIf(postgresMissing)('PostgreSQL is looked at too', async () => {
	await using postgres = await startPostgres();
	expect(await examineStore({ LEAD_STORE: await postgres.createDatabase() })).toEqual({
		version: expect.stringMatching(/^ok: PostgreSQL \d+/),
		disk: 'skipped: it is the database’s',
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
});

test.skipIf(postgresMissing)('a database that is not there is a fault', async () => {
	const { waiting } = await examineStore({ LEAD_STORE: `postgres://${NOBODY}/leads` });
	expect(waiting).toMatch(/^fault: The lead store on PostgreSQL .* cannot be opened/);
});
