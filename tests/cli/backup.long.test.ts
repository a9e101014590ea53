import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLeadKeeping, startStoring } from '../support/lead-places.ts';
import { leadSenders } from '../support/lead-senders.ts';
import { runLeads } from '../support/operator-command.ts';
import { postLead } from '../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const unlimited = { LEAD_RATE_LIMIT: 'off' };

/** Returns the address of the `n`th visitor. */
const visitor = (n: number) => `visitor-${n}@example.com`;

test('a copy that was made while leads came in is whole: a server delivers from it what waited, by the references that were sent before', async () => {
	let isRestored = false;
	await using storing = await startStoring(unlimited, () => (isRestored ? {} : { until: new Promise<never>(() => {}) }));
	const { server, folder, env } = storing;
	const senders = leadSenders(() => Promise.resolve(server.url));
	let copied = false;
	const sending = senders.send(Infinity, 4, () => !copied);
	await expect.poll(() => senders.accepted.size).toBeGreaterThan(100);
	const before = [...senders.accepted];
	const copy = join(folder, 'copy.db');
	// In this process, nothing would be sent while it copies.
	const { code, stdout } = await runLeads(['backup', copy], env, { node: process.execPath });
	copied = true;
	await sending;
	expect([code, stdout]).toEqual([0, expect.stringContaining(`Copied to ${copy} (`)]);
	expect(senders.accepted.size).toBeGreaterThan(before.length);
	expect(statSync(copy).mode & 0o777).toBe(0o600);
	await server[Symbol.asyncDispose]();
	isRestored = true;
	const { requests } = storing.receiver;
	const dataOf = (body: string) => (JSON.parse(body) as { data: Record<'message' | 'reference', string> }).data;
	const referencesOf = (sent: typeof requests) => new Map(sent.map(({ body }) => [dataOf(body).message, dataOf(body).reference]));
	const first = referencesOf(requests.splice(0));
	await using restored = await startServer({ ...env, LEAD_STORE: `sqlite:${copy}` });
	await expect.poll(() => before.filter((lead) => !referencesOf(requests).has(lead))).toEqual([]);
	const again = referencesOf(requests);
	const twice = before.filter((lead) => first.has(lead));
	expect(twice.length).toBeGreaterThan(0);
	for (const lead of twice) expect(again.get(lead)).toBe(first.get(lead));
	expect(restored.process.output).not.toContain('"level":"error"');
});

test('a copy has nothing of a person who was erased before, and all of the others, sealed as they were', async () => {
	await using keeping = await startLeadKeeping();
	const { leads, folder, env } = keeping;
	for (const n of [1, 2]) await keeping.take({ email: visitor(n) });
	await leads('erase', visitor(1), '--yes');
	const copy = join(folder, 'copy.db');
	const { stdout } = await leads('backup', copy, '--json');
	expect(JSON.parse(stdout)).toEqual({ file: copy, bytes: (await readFile(copy)).length });
	const exported = await runLeads(['export'], { ...env, LEAD_STORE: `sqlite:${copy}` });
	expect(exported.stdout).toContain(visitor(2));
	expect(exported.stdout).not.toContain(visitor(1));
	expect((await readFile(copy)).includes(visitor(2))).toBe(false);
});

test.skipIf(postgresMissing)('pg_dump takes for its owner alone what pg_restore brings back and a server delivers', async () => {
	await using postgres = await startPostgres();
	const [before, after] = [await postgres.createDatabase(), await postgres.createDatabase()];
	let status = 500;
	await using storing = await startStoring({ LEAD_STORE: before }, () => ({ status }));
	await postLead(storing.server.url);
	await expect.poll(async () => (await storing.leads('list')).stdout).toContain('HTTP 500');
	// As the handbook says.
	const commands = (await readFile('handbook/data.md', 'utf8')).matchAll(/`(\(umask 077 && pg_dump .*|pg_restore .*)`/g);
	const [dump, restore] = [...commands].map(([, command]) => command!);
	const run = (command: string, LEAD_STORE: string) =>
		execFileSync('sh', ['-c', command], { cwd: storing.folder, env: { ...process.env, LEAD_STORE } });
	run(dump!, before);
	expect(statSync(join(storing.folder, 'leads.dump')).mode & 0o777).toBe(0o600);
	run(restore!, after);
	await storing.server[Symbol.asyncDispose]();
	status = 200;
	const tried = storing.receiver.requests.length;
	const env = { ...storing.env, LEAD_STORE: after };
	await using _ = await startServer(env);
	await expect.poll(async () => (await runLeads(['list'], env)).stdout).toContain('1 delivered');
	expect(storing.receiver.requests.slice(tried)).toMatchObject([{ body: expect.stringContaining('lead.received') }]);
});

test('nothing is written, and the reason is said, where a file is there already, or no such folder', async () => {
	await using keeping = await startLeadKeeping();
	const file = join(keeping.folder, 'copy.db');
	await writeFile(file, 'of somebody else');
	const reasons = { [file]: 'a file is there already', [`${file}s/none.db`]: 'ENOENT', [`${file}/none.db`]: 'ENOTDIR' };
	for (const [place, said] of Object.entries(reasons))
		expect(await keeping.leads('backup', place)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
	expect(await readFile(file, 'utf8')).toBe('of somebody else');
});

test('nothing is written, and the reason is said, where the disk has no room', async ({ skip }) => {
	using disk = mountSmallDisk();
	if (!disk) return skip('Only root may mount a small disk.');
	await using keeping = await startLeadKeeping();
	// More than SQLite keeps in memory, so that it writes while it copies.
	for (let n = 0; n < 1000; n += 1) await keeping.take({ email: visitor(n), message: 'x'.repeat(3000) });
	const { code, stderr } = await keeping.leads('backup', join(disk.path, 'copy.db'));
	expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be copied to .*: .*(full|disk I\/O)/)]);
	expect(readdirSync(disk.path)).toEqual([]);
});
