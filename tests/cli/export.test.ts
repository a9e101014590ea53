import { expect, test } from 'vitest';
import { csv } from '../../src/cli/export.ts';
import { startLeadKeeping } from '../support/lead-places.ts';
import { printable } from '../../src/cli/printing.ts';
import { newEntry } from '../store/entries.ts';

test.each([
	...[...'=+-@＝＋－＠'].map((sign) => [`${sign}1`, `"'${sign}1"`]),
	...[...'\t\r\n'].map((space) => [`${space}=1`, `"${space}'=1"`]),
	['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
	['  =1', `"'  =1"`],
	['a=b, "c"', `"a=b, ""c"""`],
	['a; b\n\nc', `"a; b\n\nc"`],
	['', '""'],
])('the cell %j is written %j', (value, written) => {
	expect(csv([value!])).toBe(`${written}\r\n`);
});

/** Reads as Excel does where semicolons part cells: text behind a closing quote belongs to the cell, and its quotes mean nothing. */
const cellsBySemicolon = (text: string) =>
	[...text.matchAll(/(?:"((?:[^"]|"")*)")?([^;\r\n]*)(?:;|\r\n|\n|$)/g)].map(
		([, quoted = '', rest]) => quoted.replaceAll('""', '"') + rest,
	);

const parted = ['a; =1+1;b', 'a\n=1+1\nb', 'a;"=1+1;b', 'a\n" "+1;b', 'a;＝1+1;b', 'a\n\n-1\n'];
test.each(parted)('a spreadsheet that expects semicolons sees no formula in %j', (text) => {
	const cells = cellsBySemicolon(csv(['id', text, 'x']));
	expect(cells.length).toBeGreaterThan(2);
	expect(cells.filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
});

test('export of a person has all that erase deletes of them, however the address is written, and nothing of others', async () => {
	await using keeping = await startLeadKeeping();
	const { store } = keeping;
	const email = 'Ana@xn--clnica-sol-l8a.example';
	const person = { email, phone: '+34 600', message: 'Call me' };
	const delivered = await keeping.take(person);
	await keeping.tried({ state: 'sent', note: '1 of 2 was refused' });
	await store.assign(delivered, 'Rui');
	await keeping.take({ name: 'Bob', email: 'bob@clinicasol.example' });
	const hit = await keeping.quarantine({ ...person, website: 'https://clinicasol.example' });
	await store.train(hit, { verdict: 'spam', signals: ['honeypot'] }, ['a trait']);
	const address = { address: email, language: 'es' };
	await store.insert(newEntry({ id: 'sent', email, kind: 'confirmation', payload: JSON.stringify(address) }));
	await store.insert(newEntry({ id: 'own', email, kind: 'canary', payload: '{"lead":{}}' }));
	await keeping.issue('--email', email);
	await keeping.issue();

	const { code, stdout } = await keeping.leads('export', 'ANA@clínica-sol.EXAMPLE');
	const kept = JSON.parse(stdout) as { found: object; entries: { id: string }[]; keys: object[] };
	expect([code, kept.found]).toEqual([0, await store.countOf(email)]);
	expect(kept).toMatchObject({ found: { entries: 4, keys: 1 }, keys: [{ owner: { email }, works: true, leads: 0 }] });
	expect(Object.fromEntries(kept.entries.map(({ id, ...rest }) => [id, rest]))).toMatchObject({
		[delivered]: {
			lead: { email, phone: '+34 600' },
			noticeVersion: expect.any(String),
			assignedAt: expect.any(String),
			deliveries: [{ channel: 'json:hooks.example', state: 'delivered', lastError: '1 of 2 was refused' }],
		},
		[hit]: { state: 'quarantined', lead: { website: 'https://clinicasol.example' }, spam: { verdict: 'spam' } },
		sent: { kind: 'confirmation', ...address },
		own: { kind: 'canary' },
	});
	expect(stdout).not.toMatch(/\bRui\b|bob@|hash/i);
	expect((await keeping.leads('export', email, '--json')).stdout).toBe(stdout);

	const cells = (await keeping.leads('export', email, '--csv')).stdout.split('\r\n');
	expect(cells.slice(0, 3)).toEqual(['\uFEFF"field","value"', '"found.entries","4"', '"found.keys","1"']);
	expect(cells).toContainEqual(expect.stringMatching(/^"entries\.\d\.lead\.phone","'\+34 600"$/));
	await store.purge({ age: -DAY, decisionTime: 0, cap: 9, batch: 9 });
	const later = JSON.parse((await keeping.leads('export', email)).stdout) as object;
	// What was said of the hit, and the marks of both leads.
	expect(later).toMatchObject({ found: { entries: 2, keys: 1, fingerprints: 3 } });
	await store.erase(email);
	expect((await keeping.leads('export', email)).code).toBe(1);
});

const DAY = 24 * 3600_000;

test('stats counts the leads that are kept, and those that were held or called spam by verdict only', async () => {
	await using keeping = await startLeadKeeping();
	const counts = async (by: string) => {
		const { stdout } = await keeping.leads('stats', '--json', '--by', by);
		const { counts } = JSON.parse(stdout) as { counts: { value: string; leads: number }[] };
		return counts.map(({ value, leads }) => `${value} ${leads}`);
	};
	for (const [turn, country] of ['Germany', 'Germany', 'Spain', ''].entries())
		await keeping.take({ country, lang: 'de', source: '/contact', email: `jo${turn}@clinicasol.example` });
	await keeping.tried();
	const late = await keeping.take({ country: 'Germany', lang: 'es', email: 'eva@clinicasol.example' });
	await keeping.store.judge(late, { verdict: 'marked', signals: [] });
	await keeping.quarantine({ name: 'Ana', email: 'ana@clinicasol.example', website: 'x' });
	const pitch = await keeping.take({ name: 'Pitch', country: 'Germany' });
	await keeping.store.train(pitch, { verdict: 'spam', signals: [] }, []);
	expect(await counts('country')).toEqual(['Germany 3', 'Spain 1', 'none 1']);
	expect(await counts('language')).toEqual(['de 4', 'es 1']);
	expect(await counts('channel')).toEqual(['json:hooks.example 4']);
	expect(await counts('verdict')).toEqual(['none 4', 'held 1', 'marked 1', 'spam 1']);
	await keeping.store.erase('eva@clinicasol.example');
	const { stdout } = await keeping.leads('stats', '--by', 'source');
	expect(stdout).toMatch(/^SOURCE +LEADS\n\/contact +4\n\n4 leads since .*\.\n$/);
});

test('stats counts from then on, day by day', async () => {
	await using keeping = await startLeadKeeping();
	const day = (age: number) => new Date(Date.now() - age).toISOString().slice(0, 10);
	for (const [id, age] of [1, 1, 25, 40].entries())
		await keeping.store.insert(newEntry({ id: `${id}`, receivedAt: Date.now() - age * DAY, channels: [] }));
	const { stdout } = await keeping.leads('stats');
	expect(stdout).toMatch(new RegExp(`^DAY +LEADS\\n${day(25 * DAY)}  1\\n${day(DAY)}  2\\n\\n3 leads since `));
	expect((await keeping.leads('stats', '--since', '41d')).stdout).toContain('4 leads since');
	expect(JSON.parse((await keeping.leads('stats', '--json')).stdout)).toMatchObject({ assigned: { leads: 0, weeks: [] } });
	for (const id of ['0', '1']) await keeping.store.assign(id, 'Rui');
	const times = { leads: 2, medianSeconds: expect.any(Number), longestSeconds: expect.any(Number) };
	const assigned = { ...times, weeks: [{ week: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...times }] };
	expect(JSON.parse((await keeping.leads('stats', '--json')).stdout)).toMatchObject({ assigned });
	expect((await keeping.leads('stats')).stdout).toMatch(/\n\d{4}-\d\d-\d\d +2 +1 day +1 day\n$/);
});

test('control characters, and those that reverse text, do not reach the terminal', () => {
	expect(printable('\u001B[2J\u009B31m\u0007\rb\tc\u202E\u2028\r\n')).toBe('�[2J�31m��b\tc��\r\n');
});
