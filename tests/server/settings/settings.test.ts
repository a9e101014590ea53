import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildSettings } from '../../../src/server/settings/environment.ts';
import { targetsOf } from '../../../src/channels/webhook.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('settings', () => {
	test('take an empty variable as one that is not set, and leave out what stands around a value', () => {
		expect(readSettings({ SMTP_URL: ' ', LEAD_WEBHOOK_URL: '', PORT: '' })).toEqual(readSettings({}));
		expect(readSettings({ PORT: ' 80 ', LEAD_MAILBOX: ' var/mailbox ' })).toMatchObject({
			PORT: 80,
			LEAD_MAILBOX: 'var/mailbox',
		});
	});

	const hosts = ['localhost', 'db_1.internal', '0.0.0.0', '::', 'fe80::1%eth0'];
	test.each(hosts)('take %s for the address to listen on', (HOST) => expect(readSettings({ HOST }).HOST).toBe(HOST));

	test.each(['127.0.0.1', 'localhost', '[::1]', '10.1.2.3', '100.64.0.0', '100.127.255.255', '[fd00::1]'])(
		'take %s for the address of metrics',
		(host) => {
			const settings = readSettings({ METRICS_ADDRESS: `${host}:9464` });
			expect(settings.METRICS_ADDRESS).toEqual({ host: host.replace(/[[\]]/g, ''), port: 9464 });
		},
	);

	const refused =
		'9464 127.0.0.1 :9464 127.0.0.1:65536 127.1:9464 example.com:9464 0.0.0.0:9464 [::]:9464 ' +
		'203.0.113.9:9464 100.63.255.255:9464 100.128.0.0:9464 [2a00::1]:9464';
	test.each(refused.split(' '))('refuse %s for the address of metrics: there is none, or it is public', (METRICS_ADDRESS) => {
		const wish = 'METRICS_ADDRESS must be an address of this machine or of a private network, with a port, for example 127.';
		expect(() => readSettings({ METRICS_ADDRESS })).toThrow(wish);
	});

	test('take a path, a database or none for the store', () => {
		const storeOf = (LEAD_STORE: string) => readSettings({ LEAD_STORE }).LEAD_STORE;
		expect(storeOf('sqlite:/var/lib/leads with a space.db')).toEqual({ kind: 'sqlite', path: '/var/lib/leads with a space.db' });
		for (const url of [
			'postgres://leads:p%23ss@db.example.com:5432/leads?sslmode=require',
			'postgresql:///leads?host=/run/postgresql',
		])
			expect(storeOf(url)).toEqual({ kind: 'postgres', url });
		expect(storeOf('none')).toEqual({ kind: 'none' });
	});

	const hubspot = 'https://api.hsforms.com';
	const addressOf = (length: number) => `sales@${'a.'.repeat(120)}`.padEnd(length, 'b');

	test('take each value up to its limit', () => {
		const limits = { FUNCTION_SECRET: 'a'.repeat(32), PORT: '65535', LEAD_RATE_LIMIT: '999999999/24d' };
		const mail = { LEAD_MAILBOX: 'var', LEAD_EMAIL_TO: addressOf(254) };
		const webhook = { LEAD_WEBHOOK_URL: 'https://x.example', LEAD_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}` };
		expect(() => readSettings({ ...limits, ...mail, ...webhook })).not.toThrow();
	});

	test('read several recipients between commas, with domains in their own letters', () => {
		const mail = { LEAD_MAILBOX: 'var', LEAD_EMAIL_TO: 'a..b.@b.example, c@müller.example' };
		expect(readSettings({ ...mail, LEAD_EMAIL_ROUTES: 'lang=de:d@müller.example' })).toMatchObject({
			LEAD_EMAIL_TO: ['a..b.@b.example', 'c@xn--mller-kva.example'],
			LEAD_EMAIL_ROUTES: [{ field: 'lang', value: 'de', to: ['d@xn--mller-kva.example'] }],
		});
	});

	test('read several webhooks between spaces, in the clear on this machine only', () => {
		const urls = [
			'https://hooks.example.com/',
			...['localhost', '127.0.0.1', '127.0.0.53', '[::1]'].map((host) => `http://${host}:9/`),
		];
		const { LEAD_WEBHOOK_URL } = readSettings({ LEAD_WEBHOOK_URL: urls.join('  ') });
		expect(LEAD_WEBHOOK_URL?.map(({ href }) => href)).toEqual(urls);
	});

	test.each(['localhost.example', 'not-localhost', '127.0.0.1.example', 'a127.0.0.1', '127.0.0.x', '[::1:1]', '0.0.0.0'])(
		'refuse http for a webhook on %s, which may be another',
		(host) => {
			expect(() => readSettings({ LEAD_WEBHOOK_URL: `http://${host}:8065/` })).toThrow('http only for this machine');
		},
	);

	test('read times in seconds, a year as 365 days, and a rate limit, which may be off', () => {
		const times = { LEAD_RETENTION: '100y', LEAD_RETRY: '5s 5m 2h 1d' };
		expect(readSettings(times)).toMatchObject({ LEAD_RETENTION: 100 * 31_536_000, LEAD_RETRY: [5, 300, 7200, 86_400] });
		expect(readSettings({ LEAD_RATE_LIMIT: '20/10m' }).LEAD_RATE_LIMIT).toEqual({ limit: 20, window: 600 });
		expect(readSettings({ LEAD_RATE_LIMIT: 'off' }).LEAD_RATE_LIMIT).toBeUndefined();
	});

	test.each([
		[{ HOST: '[::1]' }, 'HOST must be a host name or an address, for example localhost.'],
		[{ PORT: '65536' }, 'PORT must be a port, 65535 at most, for example 4321.'],
		...['mail.example.com', 'smtp://', 'smtp://user@a.example', 'smtp://user:p%zz@a.example', 'smtp://:password@a.example'].map(
			(SMTP_URL): [NodeJS.ProcessEnv, string] => [{ SMTP_URL }, 'SMTP_URL must be an smtp or smtps URL'],
		),
		[{ SMTP_URL: 'smtp://mail.example.com' }, 'LEAD_EMAIL_TO is missing: SMTP_URL needs to know whom to write to, for'],
		[{ SMTP_URL: 'smtp://mail.example.com' }, 'LEAD_EMAIL_FROM is missing'],
		[{ LEAD_EMAIL_TO: 'sales@example.com' }, 'SMTP_URL is missing'],
		[{ LEAD_MAILBOX: 'var', LEAD_EMAIL_TO: ' , ' }, 'LEAD_EMAIL_TO must be one address'],
		[{ LEAD_MAILBOX: 'var', LEAD_EMAIL_TO: addressOf(255) }, 'LEAD_EMAIL_TO must be one address'],
		[{ LEAD_MAILBOX: 'package.json' }, 'LEAD_MAILBOX must be a folder that this process may write, or can make'],
		[{ LEAD_STORE: 'leads.db' }, 'LEAD_STORE must be sqlite: and a path, a postgres:// URL, or none'],
		[{ LEAD_STORE: 'sqlite::memory:' }, 'LEAD_STORE must be sqlite: and a path'],
		[{ LEAD_STORE: 'postgres://leads:pass#word@db.example.com/leads' }, 'LEAD_STORE must be sqlite: and a path'],
		[{ LEAD_RETENTION: '36501d' }, 'LEAD_RETENTION must be a time in s, m, h, d or y (365 days), 36500d at most, or 0, for'],
		[{ LEAD_RETRY: '0' }, 'LEAD_RETRY must be a time in s, m, h, d or y (365 days), from 1s to 36500d, for example 5m.'],
		[{ LEAD_WEBHOOK_URL: 'http://hooks.example.com' }, 'LEAD_WEBHOOK_URL must be one https URL'],
		[{ LEAD_WEBHOOK_URL: 'https://user:pass@hooks.slack.com/services/1' }, 'LEAD_WEBHOOK_URL must have no user name and'],
		...['user:100%', '%FF:x', 'us%3Aer:x', 'user:%0D'].map((credentials): [NodeJS.ProcessEnv, string] => [
			{ LEAD_WEBHOOK_URL: `https://${credentials}@hooks.example.com` },
			'LEAD_WEBHOOK_URL must have user name and password percent-encoded in UTF-8',
		]),
		[{ LEAD_WEBHOOK_URL: 'https://a.example/, https://b.example' }, 'LEAD_WEBHOOK_URL must be one https URL or several'],
		[{ LEAD_WEBHOOK_URL: 'https://api.telegram.org/bot1:secret/sendMessage' }, 'LEAD_WEBHOOK_URL must be the method'],
		[{ LEAD_WEBHOOK_URL: 'https://a:b@a.example https://a:c@a.example' }, 'LEAD_WEBHOOK_URL must have no URL twice'],
		[{ LEAD_WEBHOOK_URL: 'https://a.example', LEAD_WEBHOOK_FORMAT: 'slack json' }, 'LEAD_WEBHOOK_FORMAT must be one format'],
		[
			{ LEAD_WEBHOOK_URL: `${hubspot}/submissions/v3/integration/submit/1/${randomUUID()}` },
			'LEAD_WEBHOOK_URL names nothing but a CRM',
		],
		[{ LEAD_WEBHOOK_URL: `${hubspot}/secure/submit/1/x` }, 'must be the address of a HubSpot form with its portal'],
		[{ LEAD_TIME_ZONE: '+01:00' }, 'LEAD_TIME_ZONE must be a name of the IANA time zone database, for example Europe/Berlin.'],
		[
			{ LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: 'lang=de:a@b.example contry=DE:a@b.example' },
			'LEAD_EMAIL_ROUTES must, in route 2, begin with a field that routes can compare: country, lang, source. A whole route is',
		],
		[{ LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: 'toString=DE:a@b.example' }, 'in route 1, begin with a field'],
		...['Germany', 'XX', 'EU', ''].map((code): [NodeJS.ProcessEnv, string] => [
			{ LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: `country=${code}:a@b.example` },
			'LEAD_EMAIL_ROUTES must, in route 1, have, behind country=, the code of a country, for example DE.',
		]),
		[{ LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: 'lang=xx:a@b.example' }, 'behind lang=, the tag of a language, for example de.'],
		[{ LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: 'source=:a@b.example' }, 'behind source=, where a lead comes from'],
		...['', ':', ':,', ':sales', ':a@b.example,sales'].map((to): [NodeJS.ProcessEnv, string] => [
			{ LEAD_MAILBOX: 'var', LEAD_EMAIL_ROUTES: `source=https://a.example${to}` },
			'LEAD_EMAIL_ROUTES must, in route 1, end with a colon and one address or several between commas.',
		]),
		[{ LEAD_EMAIL_ROUTES: 'lang=de:a@b.example' }, 'SMTP_URL is missing: LEAD_EMAIL_ROUTES needs a server to send by'],
		[{ LEAD_EMAIL_CONFIRM: 'on' }, 'SMTP_URL is missing: LEAD_EMAIL_CONFIRM needs a server to send by'],
		[{ LEAD_EMAIL_CONFIRM: 'yes' }, 'LEAD_EMAIL_CONFIRM must be on or off'],
		[{ LEAD_EMAIL_CONFIRM: 'on', LEAD_STORE: 'none' }, 'LEAD_STORE must remember who got a confirmation'],
		[{ LEAD_CHAT_MESSAGE: 'no' }, 'LEAD_CHAT_MESSAGE must be on or off.'],
		[{ LEAD_WEBHOOK_FORMAT: 'irc' }, 'LEAD_WEBHOOK_FORMAT must be auto, discord, google-chat, '],
		[
			{ LEAD_WEBHOOK_URL: 'https://x.example', LEAD_WEBHOOK_SECRET: `whsec_${'a'.repeat(31)}` },
			'LEAD_WEBHOOK_SECRET must be whsec_',
		],
		[{ LEAD_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, 'LEAD_WEBHOOK_URL is missing'],
		[
			{ LEAD_WEBHOOK_URL: 'https://x.example', LEAD_WEBHOOK_FORMAT: 'slack', LEAD_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}` },
			'LEAD_WEBHOOK_SECRET signs json webhooks, and LEAD_WEBHOOK_URL names',
		],
		[{ LEAD_WEBHOOK_FORMAT: 'slack' }, 'LEAD_WEBHOOK_URL is missing'],
		[{ LEAD_RATE_LIMIT: '20' }, 'LEAD_RATE_LIMIT must be a number of leads and a time'],
		[{ LEAD_RATE_LIMIT: '20/25d' }, 'LEAD_RATE_LIMIT must be a number of leads and a time of 24d at most, or off, for'],
		[{ LOG_LEVEL: 'trace' }, 'LOG_LEVEL must be debug, info, warn or error'],
		[{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be how many proxies'],
		[{ FUNCTION_SECRET: 'a'.repeat(31) }, 'FUNCTION_SECRET must be 32 or more letters and digits'],
	])('refuse %o and say why', (environment, message) => {
		expect(() => readSettings(environment)).toThrow(message);
	});

	test.each([
		['mattermost', ['mattermost', 'mattermost']],
		['mattermost auto', ['mattermost', 'json']],
	])('take one format for all webhooks, or one for each: %s', (LEAD_WEBHOOK_FORMAT, formats) => {
		const targets = targetsOf(readSettings({ LEAD_WEBHOOK_URL: 'https://a.example https://b.example', LEAD_WEBHOOK_FORMAT }));
		expect(targets.map(({ format }) => format.name)).toEqual(formats);
	});

	test('let no text go nowhere: chat may do without it where a lead is kept, mailed or sent to a program', () => {
		const chat = { LEAD_CHAT_MESSAGE: 'off', LEAD_STORE: 'none', LEAD_WEBHOOK_URL: 'https://hooks.slack.com/services/1' };
		expect(() => readSettings(chat)).toThrow('LEAD_CHAT_MESSAGE must be on where a lead goes to chat alone');
		expect(readSettings({ ...chat, LEAD_STORE: 'sqlite:leads.db' }).LEAD_CHAT_MESSAGE).toBe(false);
		expect(() => readSettings({ ...chat, LEAD_MAILBOX: 'var/mailbox' })).not.toThrow();
		expect(() => readSettings({ ...chat, LEAD_WEBHOOK_URL: `${chat.LEAD_WEBHOOK_URL} https://crm.example.com/` })).not.toThrow();
	});

	test('say nothing of a webhook but its host, and nothing of a password', () => {
		const urls =
			'https://api.hsforms.com/secret?secret https://api.telegram.org/bot1:secret/x https://secret:secret%@a.example https://secret@hooks.slack.com/secret';
		expect(() => readSettings({ LEAD_WEBHOOK_URL: urls })).toThrow(/^((?!secret).)*$/s);
		expect(() => readSettings({ LEAD_STORE: 'mysql://me:secret@localhost/leads' })).toThrow(/^LEAD_STORE (?!.*secret)/s);
	});

	test('name every variable at fault at once, and once', () => {
		expect(() => readSettings({ PORT: 'x', TRUST_PROXY: 'y' })).toThrow(/PORT .*\nTRUST_PROXY /);
		expect(() => readSettings({ LEAD_STORE: 'x' })).toThrow(/^LEAD_STORE [^\n]*$/);
	});
});

describe('settings of the build', () => {
	test.each([
		...['https://www.example.com/', 'https://www.example.com/site', 'www.example.com', 'ftp://example.com'].map(
			(SITE_URL): [NodeJS.ProcessEnv, string] => [{ SITE_URL }, 'SITE_URL must be an origin'],
		),
		[{ HYPERDRIVE_ID: 'e5d9b0c2-f3a1-4d6b-8c7e-9f0a1b2c3d4e' }, 'HYPERDRIVE_ID must be the id that wrangler'],
		...['a b', 'a+b', '.', 'ü'].map((BUILD_ID): [NodeJS.ProcessEnv, string] => [{ BUILD_ID }, 'BUILD_ID must be letters']),
	])('refuse %o and say why', (environment, message) => {
		expect(() => buildSettings(environment)).toThrow(message);
	});

	test('have an origin, which may be in a file and is this machine without one', async () => {
		await using folder = await temporaryFolder();
		const SITE_URL_FILE = path.join(folder.path, 'origin');
		writeFileSync(SITE_URL_FILE, 'https://www.example.com\n');
		const origins = [{ SITE_URL_FILE }, {}].map((environment) => buildSettings(environment).SITE_URL);
		expect(origins).toEqual(['https://www.example.com', 'http://localhost:4321']);
	});
});

describe('settings from files', () => {
	/** Reads settings with files of these contents. */
	async function readWith(files: Record<string, string | Buffer>, others: NodeJS.ProcessEnv = {}) {
		await using folder = await temporaryFolder();
		const variables = Object.entries(files).map(([name, content]) => {
			const file = path.join(folder.path, name);
			writeFileSync(file, content);
			return [`${name}_FILE`, file];
		});
		return readSettings({ ...Object.fromEntries(variables), ...others });
	}

	test('are their content without the last line end', async () => {
		const files = { PORT: '8080', SMTP_URL: 'smtp://user:p%23ss@mail.example.com\r\n', LEAD_EMAIL_TO: 'a@example.com\n' };
		expect(await readWith(files, { LEAD_EMAIL_FROM: 'website@example.com' })).toMatchObject({
			PORT: 8080,
			SMTP_URL: 'smtp://user:p%23ss@mail.example.com',
			LEAD_EMAIL_TO: ['a@example.com'],
		});
	});

	test('are not set if the file is empty', async () => {
		expect(await readWith({ SMTP_URL: '\n', LEAD_WEBHOOK_URL: '' })).toEqual(readSettings({}));
		expect((await readWith({ PORT: '' }, { PORT: '8080' })).PORT).toBe(8080);
	});

	test('are refused beside the variable, as a faulty value is, and never shown', async () => {
		const both = readWith({ SMTP_URL: 'smtp://user:secret@a.example' }, { SMTP_URL: 'smtp://user:secret@b.example' });
		await expect(both).rejects.toThrow(/^SMTP_URL and SMTP_URL_FILE are both set\./);
		await expect(readWith({ SMTP_URL: 'http://secret' })).rejects.toThrow(/^SMTP_URL must be (?!.*secret)/);
		await expect(readWith({ SMTP_URL: '\uFEFFsmtp://secret' })).rejects.toThrow(/SMTP_URL_FILE .*byte order mark(?!.*secret)/);
		const latin1 = Buffer.from('smtp://user:p\u00E4sswort@a.example', 'latin1');
		await expect(readWith({ SMTP_URL: latin1 })).rejects.toThrow(/^The file of SMTP_URL_FILE has an encoding/);
		expect(() => readSettings({ SMTP_URL_FILE: 'smtp://user:secret@a.example' })).toThrow(
			/^The file of SMTP_URL_FILE cannot be read \(ENOENT\)\.(?!.*secret)/,
		);
	});
});
