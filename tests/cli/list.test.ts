import { expect, test } from 'vitest';
import { startLeadKeeping } from '../support/lead-places.ts';

interface Page {
	entries: { id: string; name: string }[];
	next?: string;
}

test('a page says what the next one comes after, and both have the leads that were asked for', async () => {
	await using keeping = await startLeadKeeping();
	const source = "/it's here";
	for (const name of ['Ana', 'Bob', 'Eve', 'Zoe']) await keeping.take({ name, source });
	await keeping.take({ name: 'Kim', source: '/contact' });
	await keeping.tried();

	const wanted = ['list', '--state', 'delivered', '--source', source, '--long', '--limit', '2'];
	const first = await keeping.leads(...wanted);
	expect(first.stdout).toMatch(/^lead .*\n +Zoe · [^]*^lead .*\n +Eve · /m);
	expect(first.stdout).not.toMatch(/Ana|Bob|Kim/);
	const [, before] = /^There are older ones: add --before (\S+) to this command\.$/m.exec(first.stdout)!;

	const { entries, next } = JSON.parse((await keeping.leads(...wanted, '--json')).stdout) as Page;
	expect([entries.map(({ name }) => name), next?.slice(-8)]).toEqual([['Zoe', 'Eve'], before]);

	const last = await keeping.leads(...wanted, '--before', next!);
	expect(last.stdout).toMatch(/^lead .*\n +Bob · [^]*^lead .*\n +Ana · /m);
	expect(last.stdout).not.toMatch(/older ones|false|Zoe|Eve|Kim/);
});

test('a lead has a row for each channel, with its next try or its last error, and is named in the first', async () => {
	const LEAD_WEBHOOK_URL = 'https://gone.example https://down.example';
	await using keeping = await startLeadKeeping({ LEAD_WEBHOOK_URL });
	await keeping.take();
	await keeping.tried({ state: 'parked', reason: 'HTTP 410' }, 'json:gone.example');
	await keeping.tried({ state: 'waiting', wait: 7_200_000, reason: 'HTTP 500' }, 'json:down.example');
	const { stdout } = await keeping.leads('list');
	expect(stdout).toMatch(/^ENTRY +RECEIVED UTC +STATE +CHANNEL +TRIES +NEXT TRY +LAST ERROR$/m);
	expect(stdout).toMatch(/^lead [0-9a-f]{8} +\d+ \w{3} \d\d:\d\d +(waiting|parked) .*\n {20,}(waiting|parked) /m);
	expect(stdout).toMatch(/ parked +json:\S+ +1 +HTTP 410$/m);
	expect(stdout).toMatch(/ waiting +json:\S+ +1 +in 2 hours +HTTP 500$/m);
	expect(stdout).toContain('1 lead: 0 waiting, 0 delivered, 1 parked, 0 quarantined.');
	expect(stdout).toContain('retry --parked');
	expect(stdout).not.toMatch(/Ana|clinicasol/);

	const [, id] = /^lead (\S+)/m.exec(stdout)!;
	const shown = (await keeping.leads('show', id!)).stdout;
	expect(shown).toMatch(/^CHANNEL +STATE +TRIES +DELIVERED OR NEXT TRY +LAST ERROR$/m);
	expect(shown).toMatch(/^json:\S+ +parked +1 +HTTP 410$/m);
	expect(shown).toMatch(/^json:\S+ +waiting +1 +20\d\d-.* UTC +HTTP 500$/m);
});
