import { describe, expect, test } from 'vitest';
import { NOBODY } from '../../support/listening.ts';
import { type LeadValues, postLead } from '../../support/post-lead.ts';
import { HEADED, REJECTED, rspamdMissing, startRspamd } from '../../support/rspamd.ts';
import { shared } from '../../support/shared.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

/** Starts a server that asks this engine. */
async function startAsking(LEAD_SPAM_URL: string, settings: Record<string, string> = {}) {
	const storing = await startStoring({ LEAD_SPAM_URL, ...settings });
	return {
		...storing,
		/** Sends a lead, and returns it as the list has it once it was judged. */
		async judged(fields: LeadValues) {
			await postLead(storing.server.url, fields);
			const newest = async () => {
				const { entries } = JSON.parse((await storing.leads('list', '--json')).stdout) as {
					entries: { id: string; kind: string }[];
				};
				return entries.find(({ kind }) => kind === 'lead')!;
			};
			await expect.poll(newest).toHaveProperty('spam');
			return newest();
		},
	};
}

describe.skipIf(rspamdMissing)('with rspamd', () => {
	const engine = shared(startRspamd);

	test('a lead that it would reject has a strong signal, one that it would mark a weak one, and any other none', async () => {
		await using asking = await startAsking(engine().url);
		expect(await asking.judged({ message: HEADED })).toMatchObject({ spam: { verdict: 'marked', signals: ['engine'] } });
		expect(await asking.judged({ message: 'Do you speak Spanish?' })).toMatchObject({ spam: { verdict: 'clear' } });
		const name = 'Ana, see https://win.example/now';
		expect(await asking.judged({ name, message: HEADED })).toMatchObject({ spam: { verdict: 'marked' } });
		expect(await asking.judged({ name, message: REJECTED })).toMatchObject({ state: 'quarantined', spam: { verdict: 'held' } });
	});

	test('it learns from spam and release, and the command says why it could not', async () => {
		const { controller, url, password } = engine();
		const message =
			'Our calendars are made for firms of your size and trade, and forty firms in your town already have one of them.';
		await using asking = await startAsking(controller, { LEAD_SPAM_PASSWORD: password });
		const { id } = await asking.judged({ message });
		expect((await asking.leads('spam', id)).stdout).not.toContain('has not learnt');
		const other = { ...asking.env, LEAD_SPAM_URL: url };
		await using checkingOnly = await startAsking(url, other);
		expect((await checkingOnly.leads('release', id)).stdout).toContain('has not learnt it: invalid command');
	});
});

describe('without a verdict of the engine a lead is judged by the other signals, within seconds, and the log says so', () => {
	const fields = { name: 'Ana, see https://win.example/now' };

	test.each([
		['it is down', async () => ({ url: `http://${NOBODY}`, async [Symbol.asyncDispose]() {} })],
		['it answers with an error', () => startWebhookReceiver({ status: 500, body: '{"error":"busy"}' })],
		['it answers nonsense', () => startWebhookReceiver({ body: '<html>hello</html>' })],
		['it answers without an action', () => startWebhookReceiver({ body: '{"score":99}' })],
		['it never answers', () => startWebhookReceiver({ until: new Promise(() => {}) })],
		[
			'it answers one byte a second',
			() =>
				startWebhookReceiver({
					body: (async function* () {
						for (;;) {
							yield ' ';
							await new Promise((resolve) => setTimeout(resolve, 1000));
						}
					})(),
				}),
		],
	])('because %s', async (_, start) => {
		await using engine = await start();
		const LEAD_SPAM_URL = new URL(engine.url).origin;
		await using asking = await startAsking(LEAD_SPAM_URL);
		const judged = await asking.judged(fields);
		expect(judged).toMatchObject({ spam: { verdict: 'marked', signals: ['name-address'] } });
		const warning = expect.objectContaining({ level: 'warn', lead: judged.id });
		await expect.poll(() => asking.server.process.log).toContainEqual(warning);
	});
});
