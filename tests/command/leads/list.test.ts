import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { postLead } from '../../support/post-lead.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

const unlimited = { LEAD_RATE_LIMIT: 'off' };

/** Splits a line into words, as a shell does. */
const wordsOf = (line: string) =>
	execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
		.trimEnd()
		.split('\n');

interface Page {
	entries: { id: string; name: string }[];
	next?: string;
}

test('a page ends with the command for the next one, which a shell takes as it is', async () => {
	await using storing = await startStoring(unlimited);
	const source = "/it's here";
	for (const name of ['Ana', 'Bob', 'Eve', 'Zoe']) await postLead(storing.server.url, { name, source });
	await postLead(storing.server.url, { name: 'Kim', source: '/contact' });
	await storing.receiver.received(5);
	await expect.poll(async () => (await storing.leads('list')).stdout).toContain('5 delivered');

	const page = ['--limit', '2'];
	const first = await storing.leads('list', '--state', 'delivered', '--source', source, '--long', ...page);
	expect(first.stdout).toMatch(/^lead .*\n +Zoe · [^]*^lead .*\n +Eve · /m);
	expect(first.stdout).not.toMatch(/Ana|Bob|Kim/);
	const [, command] = /^There are older ones: (.+)$/m.exec(first.stdout)!;
	const words = wordsOf(command!);
	expect(words.slice(2, -1)).toEqual(['list', '--state', 'delivered', '--source', source, '--long', '--before']);

	const last = await storing.leads(...words.slice(words.indexOf('list')), ...page);
	expect(last.stdout).toMatch(/^lead .*\n +Bob · [^]*^lead .*\n +Ana · /m);
	expect(last.stdout).not.toMatch(/older ones|false|Zoe|Eve|Kim/);
});

test('programs go through the pages by the id that each names as the next one', async () => {
	await using storing = await startStoring(unlimited);
	for (const name of ['Ana', 'Bob', 'Eve']) await postLead(storing.server.url, { name });
	const pageAfter = async (...before: string[]) => {
		const { stdout } = await storing.leads('list', '--json', '--long', '--limit', '2', ...before);
		const { entries, next } = JSON.parse(stdout) as Page;
		return { names: entries.map(({ name }) => name), next };
	};
	const { names, next } = await pageAfter();
	expect(names).toEqual(['Eve', 'Bob']);
	expect(await pageAfter('--before', next!)).toEqual({ names: ['Ana'], next: undefined });
	expect(await storing.leads('list', '--before', '00000000')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('There is no entry 00000000.'),
	});
});

test('a lead has a row for each channel, with its next try or its last error, and is named in the first', async () => {
	await using gone = await startWebhookReceiver({ status: 410 });
	await using down = await startWebhookReceiver({ status: 500 });
	await using storing = await startStoring({ LEAD_WEBHOOK_URL: `${gone.url} ${down.url}`, LEAD_RETRY: '2h' });
	await postLead(storing.server.url);
	await storing.server.process.printed(/parked/);
	await storing.server.process.printed(/Not delivered yet/);
	const { stdout } = await storing.leads('list');
	expect(stdout).toMatch(/^ENTRY +RECEIVED UTC +STATE +CHANNEL +TRIES +NEXT TRY +LAST ERROR$/m);
	expect(stdout).toMatch(/^lead [0-9a-f]{8} +\d+ \w{3} \d\d:\d\d +(waiting|parked) .*\n {20,}(waiting|parked) /m);
	expect(stdout).toMatch(/ parked +json:\S+ +1 +HTTP 410$/m);
	expect(stdout).toMatch(/ waiting +json:\S+ +1 +in 2 hours +HTTP 500$/m);

	const [, id] = /^lead (\S+)/m.exec(stdout)!;
	const shown = (await storing.leads('show', id!)).stdout;
	expect(shown).toMatch(/^CHANNEL +STATE +TRIES +DELIVERED OR NEXT TRY +LAST ERROR$/m);
	expect(shown).toMatch(/^json:\S+ +parked +1 +HTTP 410$/m);
	expect(shown).toMatch(/^json:\S+ +waiting +1 +20\d\d-.* UTC +HTTP 500$/m);
});
