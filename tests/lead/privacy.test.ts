import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyIn, languageFor } from '../../src/facts/load.ts';
import { hit, lead, postBody, postLead } from '../support/post-lead.ts';
import { startStoring } from '../support/storing-server.ts';

/** Starts a server with its store in a folder, and the operator's command. */
async function startWatched(settings: Record<string, string> = {}, until?: Promise<void>) {
	const storing = await startStoring(settings, { until });
	const { folder, leads, database } = storing;
	return {
		...storing,
		leads: async (...args: string[]) => (await leads(...args)).stdout,
		command: leads,
		/** Returns every byte of the store on the disk, with SQLite's log of changes. */
		async bytes() {
			const names = await readdir(folder);
			return Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(folder, name)))));
		},
		/** Returns the keys that seal the store's leads, by person: without its key nobody can read a lead. */
		keys() {
			using file = database();
			const rows = file.prepare(
				'SELECT person, key FROM lead_entries JOIN lead_keys ON slot = key_slot WHERE person IS NOT NULL',
			);
			const keys = (rows.all() as { person: string; key: Uint8Array }[]).map(({ person, key }) => ({
				person,
				key: Buffer.from(key),
			}));
			return Object.groupBy(keys, ({ person }) => person);
		},
	};
}

test('no address of a client is stored or logged, of a lead or of a hit', async () => {
	await using storing = await startWatched({ TRUST_PROXY: '1' });
	for (const body of [lead, hit, {}]) await postBody(storing.server.url, body, { 'x-forwarded-for': '203.0.113.77' });
	await storing.receiver.received(2);
	expect(await storing.leads('export')).toContain('ana@clinicasol.example');
	expect(await storing.leads('export')).not.toContain('203.0.113');
	expect((await storing.bytes()) + storing.server.process.output).not.toContain('203.0.113');
});

test('consent is kept as evidence: wording, version of the notice, time, language, page', async () => {
	await using storing = await startWatched();
	await postBody(storing.server.url, { ...lead, lang: 'es', source: '/es/contact' });
	expect(JSON.parse(await storing.leads('export'))).toMatchObject({
		noticeVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		consentWording: copyIn(languageFor('es')).fields['consent']!.label,
		receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		consent: 'on',
		lang: 'es',
		source: '/es/contact',
	});
});

test('with LEAD_RETENTION=0 a lead is gone from the disk once it is delivered, and still known when it comes again', async () => {
	const held = Promise.withResolvers<void>();
	await using storing = await startWatched({ LEAD_RETENTION: '0' }, held.promise);
	await postLead(storing.server.url);
	const [[{ key } = { key: Buffer.alloc(32) }] = []] = Object.values(storing.keys());
	expect((await storing.bytes()).includes(key)).toBe(true);
	held.resolve();
	await expect.poll(async () => (await storing.bytes()).includes(key)).toBe(false);
	expect(await storing.leads('list')).toContain('0 leads');
	expect((await postLead(storing.server.url)).status).toBe(200);
	await postBody(storing.server.url, { ...lead, name: 'Bob' });
	await storing.receiver.received(2);
	expect(storing.receiver.requests.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toMatchObject([
		{ name: 'Ana Ruiz' },
		{ name: 'Bob' },
	]);
});

test('erasing a person leaves no byte that can be read, whatever the state, while the server runs', async () => {
	await using storing = await startWatched();
	const words = { country: 'Unmistakable', source: 'unmistakable', lang: 'unmistakable' };
	const ana = { ...lead, ...words, name: 'Ana Unmistakable' };
	for (const body of [ana, { ...ana, website: 'x' }, { ...lead, email: 'bob@example.com', name: 'Bob' }])
		await postBody(storing.server.url, body);
	await storing.receiver.received(3);
	const [ofAna, ofBob] = Object.values(storing.keys()).toSorted((one, other) => other!.length - one!.length);
	expect([ofAna, ofBob]).toMatchObject([{ length: 2 }, { length: 1 }]);

	expect(await storing.leads('erase', 'ana@clinicasol.example', '--yes')).toContain('Deleted 2 entries');
	const left = await storing.bytes();
	expect(ofAna!.filter(({ key }) => left.includes(key))).toEqual([]);
	expect(left.includes(ofBob![0]!.key)).toBe(true);
	expect(left.toString('latin1')).not.toMatch(/Unmistakable|clinicasol|bob@/i);
});

test.each([
	['leads are kept', '30d', ['delivered'], 'Deleted 1 entry'],
	['leads are deleted once they are delivered', '0', [], 'Nothing is kept of ana@clinicasol.example.'],
])('who was erased is not known when they write again, where %s', async (_, LEAD_RETENTION, left, said) => {
	await using storing = await startWatched({ LEAD_RETENTION });
	await postLead(storing.server.url);
	await expect.poll(storing.states).toEqual(left);
	const { stdout, stderr } = await storing.command('erase', lead.email, '--yes');
	expect(stdout + stderr).toContain(said);
	await postLead(storing.server.url);
	await storing.receiver.received(2);
});
