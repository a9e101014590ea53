import { expect, test } from 'vitest';
import { runLeads } from '../../support/leads-command.ts';
import { postBody, postLead } from '../../support/post-lead.ts';
import { startStoring } from '../../support/storing-server.ts';

const today = () => new Date().toISOString().slice(0, 10);

interface Stats {
	leads: number;
	counts: { value: string; leads: number }[];
}

async function startCounting() {
	const storing = await startStoring({ LEAD_RATE_LIMIT: 'off' });
	const stats = async (...args: string[]) => JSON.parse((await storing.leads('stats', '--json', ...args)).stdout) as Stats;
	return { ...storing, stats };
}

test('stats counts leads by the country that visitors wrote in any language, and by the language', async () => {
	await using storing = await startCounting();
	for (const country of ['Germany', 'deutschland', 'DE', ' Alemania.', 'España', 'Atlantis', ''])
		await postLead(storing.server.url, { country, lang: country === 'España' ? 'es-MX' : 'de' });
	expect(await storing.stats('--by', 'country')).toMatchObject({
		leads: 7,
		counts: [
			{ value: 'Germany', leads: 4 },
			{ value: 'not given', leads: 1 },
			{ value: 'Spain', leads: 1 },
			{ value: 'other', leads: 1 },
		],
	});
	expect((await storing.stats('--by', 'language')).counts).toEqual([
		{ value: 'German', leads: 6 },
		{ value: 'Spanish', leads: 1 },
	]);
});

test('stats names a source while a lead from there is kept, and ours always', async () => {
	await using storing = await startCounting();
	for (const [message, source] of ['/contact', '/contact', 'spring campaign'].entries())
		await postLead(storing.server.url, { source, message: `${message}` });
	await postLead(storing.server.url, { source: 'of Bob', email: 'bob@example.com' });
	const sources = async () => (await storing.stats('--by', 'source')).counts.map(({ value, leads }) => `${value}: ${leads}`);
	expect((await sources()).toSorted()).toEqual(['/contact: 2', 'of Bob: 1', 'spring campaign: 1']);
	await storing.receiver.received(4);
	await storing.leads('erase', 'bob@example.com', '--yes');
	expect(await sources()).toEqual(['/contact: 2', 'spring campaign: 1', 'other: 1']);
});

test('stats counts what each channel got, and verdicts, hits among them', async () => {
	await using storing = await startCounting();
	await postLead(storing.server.url);
	await postBody(storing.server.url, { name: 'Bot', website: 'x' });
	const channel = expect.stringMatching(/^json:127/);
	await expect.poll(async () => (await storing.stats('--by', 'channel')).counts).toEqual([{ value: channel, leads: 1 }]);
	const { leads, counts } = await storing.stats('--by', 'verdict');
	expect([leads, counts.toSorted((one, two) => one.value.localeCompare(two.value))]).toEqual([
		1,
		[
			{ value: 'clear', leads: 1 },
			{ value: 'hit', leads: 1 },
		],
	]);
});

test('stats has a row for each day, with bars as wide as a terminal, and without where it is piped', async () => {
	await using storing = await startCounting();
	await postLead(storing.server.url, { source: 'a long name '.repeat(5) });
	const piped = await storing.leads('stats', '--since', '3d');
	expect(piped.stdout).toMatch(
		new RegExp(`^DAY +LEADS\n\\d{4}-\\d\\d-\\d\\d +0\n.* 0\n${today()} +1\n\n1 lead since .* \\(UTC\\)\\.\n$`),
	);
	const terminal = 'data:text/javascript,process.stdout.isTTY=true;process.stdout.columns=40';
	const linesBy = async (by: string) =>
		(await runLeads(['stats', '--by', by], { ...storing.env, NODE_OPTIONS: `--import=${terminal}` })).stdout.split('\n');
	expect((await linesBy('day')).slice(29, 31)).toEqual([expect.stringMatching(/ 0$/), `${today()}      1  ${'█'.repeat(21)}`]);
	expect((await linesBy('source')).slice(0, 2)).toEqual([
		'SOURCE                LEADS',
		`a long name a long …      1  ${'█'.repeat(11)}`,
	]);
});

test.each(['yesterday', '3y', '0d'])('stats says what --since may be: not %s', async (since) => {
	await using storing = await startCounting();
	expect(await storing.leads('stats', '--since', since)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--since 30d'),
	});
});
