import { expect, test } from 'vitest';
import { startLeadKeeping } from '../../support/lead-keeping.ts';
import { runLeads } from '../../support/leads-command.ts';

interface Stats {
	leads: number;
	counts: { value: string; leads: number }[];
}

test('stats counts leads by the country that visitors wrote in any language, by the language and by the source', async () => {
	await using keeping = await startLeadKeeping();
	const stats = async (by: string) => JSON.parse((await keeping.leads('stats', '--json', '--by', by)).stdout) as Stats;
	for (const country of ['Germany', 'deutschland', 'DE', ' Alemania.', 'España', 'Atlantis', ''])
		await keeping.take({ country, lang: country === 'España' ? 'es-MX' : 'de', source: country === 'DE' ? '/' : '/contact' });
	expect(await stats('country')).toMatchObject({
		leads: 7,
		counts: [
			{ value: 'Germany', leads: 4 },
			{ value: 'not given', leads: 1 },
			{ value: 'Spain', leads: 1 },
			{ value: 'other', leads: 1 },
		],
	});
	expect((await stats('language')).counts).toEqual([
		{ value: 'German', leads: 6 },
		{ value: 'Spanish', leads: 1 },
	]);
	expect((await stats('source')).counts).toEqual([
		{ value: '/contact', leads: 6 },
		{ value: '/', leads: 1 },
	]);
});

test('stats has a row for each day, with bars as wide as a terminal, and without where it is piped', async () => {
	await using keeping = await startLeadKeeping();
	const id = await keeping.take({ source: 'a long name '.repeat(5) });
	const day = new Date((await keeping.store.find(id))[0]!.receivedAt).toISOString().slice(0, 10);
	const piped = await keeping.leads('stats', '--since', '3d');
	expect(piped.stdout).toMatch(
		new RegExp(`^DAY +LEADS\\n\\d{4}-\\d\\d-\\d\\d +0\\n[^]*${day} +1\\n[^]*\\n1 lead since .* \\(UTC\\)\\.\\n$`),
	);
	const terminal = 'data:text/javascript,process.stdout.isTTY=true;process.stdout.columns=40';
	const linesBy = async (by: string) =>
		(await runLeads(['stats', '--by', by], { ...keeping.env, NODE_OPTIONS: `--import=${terminal}` })).stdout.split('\n');
	expect(await linesBy('day')).toContain(`${day}      1  ${'█'.repeat(21)}`);
	expect((await linesBy('source')).slice(0, 2)).toEqual([
		'SOURCE                LEADS',
		`a long name a long …      1  ${'█'.repeat(11)}`,
	]);
});

test.each(['yesterday', '3y', '0d'])('stats says what --since may be: not %s', async (since) => {
	await using keeping = await startLeadKeeping();
	expect(await keeping.leads('stats', '--since', since)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--since 30d'),
	});
});
