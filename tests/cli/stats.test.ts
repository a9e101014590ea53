import { expect, test } from 'vitest';
import { startLeadKeeping } from '../support/lead-places.ts';

const DAY = 24 * 3600_000;

test('stats counts the leads that are kept, and those in quarantine by verdict only', async () => {
	await using keeping = await startLeadKeeping();
	const counts = async (...args: string[]) => {
		const { stdout } = await keeping.leads('stats', '--json', ...args);
		const { counts } = JSON.parse(stdout) as { counts: { value: string; leads: number }[] };
		return counts.map(({ value, leads }) => [value, leads]);
	};
	const lead = { name: 'Ana', email: 'ana@clinicasol.example' };
	for (const [turn, country] of ['Germany', 'Germany', 'Spain', ''].entries())
		await keeping.take({ country, lang: 'de', source: '/contact', email: `jo${turn}@clinicasol.example` });
	await keeping.tried();
	const late = await keeping.take({ country: 'Germany', lang: 'es', email: 'eva@clinicasol.example' });
	await keeping.store.judge(late, { verdict: 'marked', signals: [] });
	await keeping.quarantine({ ...lead, website: 'x' });

	expect(await counts('--by', 'country')).toEqual([
		['Germany', 3],
		['Spain', 1],
		['none', 1],
	]);
	expect(await counts('--by', 'language')).toEqual([
		['de', 4],
		['es', 1],
	]);
	expect(await counts('--by', 'channel')).toEqual([['json:hooks.example', 4]]);
	expect(await counts('--by', 'verdict')).toEqual([
		['none', 4],
		['held', 1],
		['marked', 1],
	]);
	expect((await counts()).reduce((sum, [, leads]) => sum + Number(leads), 0)).toBe(5);
	await keeping.store.erase('eva@clinicasol.example');
	expect((await keeping.leads('stats', '--by', 'source')).stdout).toMatch(
		/^SOURCE +LEADS\n\/contact +4\n\n4 leads since .*\.\n$/,
	);
});

test('stats counts from then on, day by day', async () => {
	await using keeping = await startLeadKeeping();
	const day = (age: number) => new Date(Date.now() - age).toISOString().slice(0, 10);
	const entry = { kind: 'lead' as const, email: null, source: null, payload: '{"lead":{}}', channels: [], once: undefined };
	for (const [id, age] of [1, 1, 25, 40].entries())
		await keeping.store.insert({ ...entry, id: `${id}`, receivedAt: Date.now() - age * DAY });
	const { stdout } = await keeping.leads('stats');
	expect(stdout).toMatch(new RegExp(`^DAY +LEADS\\n${day(25 * DAY)}  1\\n${day(DAY)}  2\\n\\n3 leads since `));
	expect((await keeping.leads('stats', '--since', '41d')).stdout).toContain('4 leads since');
});
