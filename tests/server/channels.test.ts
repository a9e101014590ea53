import { describe, expect, test } from 'vitest';
import { service, wordsIn } from '../../src/facts/load.ts';
import { channelsOf } from '../../src/server/channels.ts';
import { readSettings, type Settings } from '../../src/server/settings/settings.ts';
import { messageWith } from '../support/lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const none = readSettings({});

const namesOf = (settings: Partial<Settings>) => channelsOf({ ...none, ...settings }).channels.map(({ name }) => name);

const namesFor = (urls: string[]) => namesOf({ LEAD_WEBHOOK_URL: urls.map((url) => new URL(url)) });

describe('A deployment', () => {
	test('has the channels that it is given, in order, and none by itself', () => {
		expect(namesOf({})).toEqual([]);
		const LEAD_WEBHOOK_URL = [new URL('https://crm.example.com/leads?key=1')];
		const names = namesOf({ SMTP_URL: 'smtp://user:pass@mail.example.com', LEAD_MAILBOX: 'var/mailbox', LEAD_WEBHOOK_URL });
		expect(names).toEqual(['email', 'mailbox', 'json:crm.example.com']);
	});

	test.each([
		['https://HOOKS.SLACK.COM/services/T/B/X', 'slack:hooks.slack.com'],
		['https://notdiscord.com/api/webhooks/1/x', 'json:notdiscord.com'],
		['https://prod-7.westeurope.logic.azure.com.website.test/x', 'json:prod-7.westeurope.logic.azure.com.website.test'],
		['https://api-eu1.hsforms.com/submissions/v3/integration/submit/1/x', 'hubspot:api-eu1.hsforms.com'],
		['https://hooks.slack.com.attacker.example/', 'json:hooks.slack.com.attacker.example'],
		['http://localhost:8065/hooks/x', 'json:localhost:8065'],
	])('knows the format by the host: %s is %s', (url, name) => {
		expect(namesFor([url])).toEqual([name]);
	});

	test('tells webhooks of one host apart, whatever their order and their credentials are, and counts a URL once', () => {
		const urls = ['https://hooks.example.com/1', 'https://hooks.example.com/2', 'https://crm.example.com/'];
		const names = namesFor(urls);
		const apart = expect.stringMatching(/^json:hooks\.example\.com#\w{6}$/);
		expect(names).toEqual([apart, apart, 'json:crm.example.com']);
		expect(new Set(names).size).toBe(3);
		expect(namesFor([...urls, ...urls].toReversed())).toEqual(names.toReversed());
		expect(namesFor(urls.map((url) => url.replace('//', '//user:pass@')))).toEqual(names);
	});

	test.each([
		['a mailbox', true, false, `: ${wordsIn('en').team.inMail}`],
		['a store', false, true, `: run npm run leads -- show ${messageWith().id}`],
		['neither', false, false, ''],
	])('with %s keeps free text out of chat, not from programs, and says where it is', async (_, mailbox, kept, where) => {
		await using folder = await temporaryFolder();
		await using receiver = await startWebhookReceiver();
		const send = async (format: 'slack' | 'json') => {
			const chat = { LEAD_WEBHOOK_URL: [new URL(receiver.url)], LEAD_WEBHOOK_FORMAT: [format], LEAD_CHAT_MESSAGE: false };
			const { channels } = channelsOf({ ...none, ...chat, LEAD_MAILBOX: mailbox ? folder.path : undefined });
			await channels.at(-1)?.send({ ...messageWith({ message: 'measles' }), kept }, new AbortController().signal);
			return receiver.requests.at(-1)?.body;
		};
		expect(await send('slack')).toContain(`Message: Not shown in chat${where}\\n`);
		expect(await send('slack')).not.toContain('measles');
		expect(await send('json')).toContain('measles');
	});

	test('with a mailbox alone needs no address: the sales team’s is known', async () => {
		await using folder = await temporaryFolder();
		const [mailbox] = channelsOf({ ...none, LEAD_MAILBOX: folder.path }).channels;
		await mailbox?.send(messageWith(), new AbortController().signal);
		const [entry] = await readMaildir(folder.path);
		expect(entry?.parsed.from).toEqual({ name: `${service.name} website`, address: 'website@localhost' });
		expect(entry?.parsed.to?.map(({ address }) => address)).toEqual([service.emails.sales]);
	});
});
