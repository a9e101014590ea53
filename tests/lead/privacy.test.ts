import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBackend, startStoring } from '../support/lead-places.ts';
import { hit, lead, postBody } from '../support/post-lead.ts';

/** Returns every byte of the store on the disk, with SQLite's log of changes. */
async function bytesIn(folder: string): Promise<Buffer> {
	const names = await readdir(folder);
	return Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(folder, name)))));
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
	using database = backend.database();
	const sealing = database.prepare('SELECT key FROM lead_entries JOIN lead_keys ON slot = key_slot').get();
	const key = Buffer.from(sealing!['key'] as Uint8Array);
	expect((await bytesIn(backend.folder)).includes(key)).toBe(true);
	held.resolve();
	await taking;
	await expect.poll(async () => (await bytesIn(backend.folder)).includes(key)).toBe(false);
	expect((await backend.leads('list')).stdout).toContain('0 leads');
	await backend.take();
	await backend.take({ name: 'Bob' });
	expect(backend.received()).toMatchObject([{ data: { name: 'Ana Ruiz' } }, { data: { name: 'Bob' } }]);
});
