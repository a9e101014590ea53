import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startBackend, startStoring } from '../support/lead-places.ts';
import { hit, lead, postBody } from '../support/post-lead.ts';

/** Returns every byte of the store on the disk, with SQLite's log of changes. */
async function bytesIn(folder: string): Promise<Buffer> {
	const names = await readdir(folder);
	return Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(folder, name)))));
}

/** Returns the keys that seal the store's leads, by person: without its key nobody can read a lead. */
function keysIn(file: DatabaseSync) {
	const rows = file.prepare('SELECT person, key FROM lead_entries JOIN lead_keys ON slot = key_slot WHERE person IS NOT NULL');
	const keys = rows.all().map(({ person, key }) => ({ person: String(person), key: Buffer.from(key as Uint8Array) }));
	file.close();
	return Object.groupBy(keys, ({ person }) => person);
}

test('no address of a client is stored or logged, of a lead or of a hit', async () => {
	await using storing = await startStoring({ TRUST_PROXY: '1' });
	for (const body of [lead, hit, {}]) await postBody(storing.server.url, body, { 'x-forwarded-for': '203.0.113.77' });
	await storing.receiver.received(2);
	const { stdout } = await storing.leads('export');
	expect(stdout).toContain('ana@clinicasol.example');
	expect(stdout + (await bytesIn(storing.folder)) + storing.server.process.output).not.toContain('203.0.113');
});

test('with LEAD_RETENTION=0 a lead is gone from the disk once it is delivered, and still known when it comes again', async () => {
	const held = Promise.withResolvers<void>();
	await using backend = await startBackend({ LEAD_RETENTION: '0' }, { until: held.promise });
	const taking = backend.take();
	await backend.receiver.received(1);
	const [[{ key } = { key: Buffer.alloc(32) }] = []] = Object.values(keysIn(backend.database()));
	expect((await bytesIn(backend.folder)).includes(key)).toBe(true);
	held.resolve();
	await taking;
	await expect.poll(async () => (await bytesIn(backend.folder)).includes(key)).toBe(false);
	expect((await backend.leads('list')).stdout).toContain('0 leads');
	await backend.take();
	await backend.take({ name: 'Bob' });
	expect(backend.received()).toMatchObject([{ data: { name: 'Ana Ruiz' } }, { data: { name: 'Bob' } }]);
});

test('erasing a person leaves no byte that can be read, whatever the state, while the server runs', async () => {
	await using backend = await startBackend();
	const ana = { name: 'Ana Unmistakable', country: 'Unmistakable', source: 'unmistakable', lang: 'unmistakable' };
	await backend.take(ana);
	await backend.quarantine({ ...lead, ...ana, website: 'x' });
	await backend.take({ email: 'bob@example.com', name: 'Bob' });
	const [ofAna, ofBob] = Object.values(keysIn(backend.database())).toSorted((one, other) => other!.length - one!.length);
	expect([ofAna, ofBob]).toMatchObject([{ length: 2 }, { length: 1 }]);

	expect((await backend.leads('erase', 'ana@clinicasol.example', '--yes')).stdout).toContain('Deleted 2 entries');
	const left = await bytesIn(backend.folder);
	expect(ofAna!.filter(({ key }) => left.includes(key))).toEqual([]);
	expect(left.includes(ofBob![0]!.key)).toBe(true);
	expect(left.toString('latin1')).not.toMatch(/Unmistakable|clinicasol|bob@/i);
});

test.each([
	['leads are kept', '30d', 1, 'Deleted 1 entry'],
	['leads are deleted once they are delivered', '0', 0, 'Nothing is kept of ana@clinicasol.example.'],
])('who was erased is not known when they write again, where %s', async (_, LEAD_RETENTION, left, said) => {
	await using backend = await startBackend({ LEAD_RETENTION });
	await backend.take();
	await expect.poll(() => backend.list()).toHaveLength(left);
	const { stdout, stderr } = await backend.leads('erase', lead.email, '--yes');
	expect(stdout + stderr).toContain(said);
	await backend.take();
	expect(backend.received()).toHaveLength(2);
});
