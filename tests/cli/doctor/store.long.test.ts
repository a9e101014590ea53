import { expect, test } from 'vitest';
import { runDoctor } from '../../support/operator-command.ts';
import { NOBODY } from '../../support/listening.ts';
import { openStore } from '../../../src/store/store.ts';
import { startLeadKeeping } from '../../support/lead-places.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { HOUR, newEntry } from '../../store/entries.ts';

/** Returns the doctor's findings about the store, by check. Nothing answers at the origin. */
async function examineStore(env: Record<string, string>) {
	const { findings } = await runDoctor([`http://${NOBODY}`], env);
	const ofStore = findings.filter(({ check }) => check.startsWith('store: '));
	return Object.fromEntries(ofStore.map(({ check, outcome, found }) => [check.slice(7), `${outcome}: ${found}`]));
}

test('of a store where everything is delivered nothing is complained of', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	await keeping.tried();
	expect(await examineStore(keeping.env)).toEqual({
		SQLite: expect.stringMatching(/^ok: SQLite 3\.\d+\.\d+ in Node\.js /),
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
});

test('a lead that waits is told of with its age, once that is more than an hour', async () => {
	await using keeping = await startLeadKeeping();
	await keeping.take();
	expect((await examineStore(keeping.env))['waiting']).toMatch(/^ok: 1 waiting, the oldest for \d+ seconds?$/);
	await keeping.store.insert(newEntry({ receivedAt: Date.now() - 2 * HOUR }));
	expect((await examineStore(keeping.env))['waiting']).toBe('warning: 2 waiting, the oldest for 2 hours');
});

test('where there is no store here it says so, and makes none', async () => {
	const found = 'skipped: LEAD_STORE is none, so neither leads nor API keys are kept.';
	expect(await examineStore({})).toEqual({ SQLite: found, waiting: found, parked: found });
	const { parked } = await examineStore({ LEAD_STORE: 'sqlite:var/no-such-folder/leads.db' });
	expect(parked).toMatch(/^skipped: There is no lead store at \/.*\/var\/no-such-folder\/leads\.db: /);
});

test.skipIf(postgresMissing)('PostgreSQL is looked at too', async () => {
	await using postgres = await startPostgres();
	const url = await postgres.createDatabase();
	await (await openStore({ kind: 'postgres', url }))[Symbol.asyncDispose]();
	expect(await examineStore({ LEAD_STORE: url })).toEqual({
		SQLite: 'skipped: the store is on PostgreSQL',
		waiting: 'ok: nothing waits',
		parked: 'ok: none',
	});
});

test.skipIf(postgresMissing)('a database that is not there is a fault', async () => {
	const { waiting } = await examineStore({ LEAD_STORE: `postgres://${NOBODY}/leads` });
	expect(waiting).toMatch(/^fault: The lead store on PostgreSQL .* cannot be opened/);
});
