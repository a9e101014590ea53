import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { NetworkInterfaceInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ZodError } from 'zod';
import { buildSettings, type SettingsError } from '../../../src/server/settings/environment.ts';
import { isPublic } from '../../../src/server/settings/rules.ts';
import { readSettings, type Settings, targetsOf } from '../../../src/server/settings/settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const hubspot = 'https://api.hsforms.com';
const addressOf = (length: number) => `sales@${'a.'.repeat(120)}`.padEnd(length, 'b');
const local = ['https://hooks.example.com/', 'http://localhost:9/', 'http://127.0.0.53:9/', 'http://[::1]:9/'];
const mailed = { LEAD_MAILBOX: 'var', LEAD_EMAIL_TO: 'sales@example.com' };
const judges = [
	'http://127.0.0.1:11333/',
	'openai+https://:K%2Fey@llm.example.com/v1?model=a/b:4b',
	...['localhost', '10.1.2.3', '[::1]'].map((host) => `openai+http://${host}:11434/v1?model=m`),
];
const posted = { LEAD_WEBHOOK_URL: 'https://a.example https://b.example' };

const privateAddresses = ['127.0.0.1', 'localhost', '::1', '10.1.2.3', '100.64.0.0', '100.127.255.255', 'fd00::1'];
const publicAddresses = ['203.0.113.9', '100.63.255.255', '100.128.0.0', '2a00::1'];
const withPort = (address: string) => `${address.includes(':') ? `[${address}]` : address}:9464`;
const canary = { CANARY_SECRET: 'a'.repeat(32) };
const mailing = { LEAD_EMAIL_TO: 'a@b.example', LEAD_EMAIL_FROM: 'c@b.example' };

const postgresAt = (url: string) => ({ kind: 'postgres', url });

type Taken = [variable: keyof Settings, value: string, read: unknown, others?: NodeJS.ProcessEnv];
/** Returns a row for each value. @param read what is read of it, by default the value */
const each = (variable: keyof Settings, values: string[], others = {}, read: (value: string) => unknown = String) =>
	values.map((value): Taken => [variable, value, read(value), others]);
const addressed = (variable: keyof Settings, hosts: string[]) =>
	hosts.map((host): Taken => [variable, withPort(host), { host, port: 9464 }, canary]);

/** Values that are taken, with what is read. Some need other variables beside them. */
const taken: Taken[] = [
	...each('HOST', ['localhost', 'db_1.internal', '0.0.0.0', '::', 'fe80::1%eth0']),
	['PORT', ' 80 ', 80],
	['PORT', '65535', 65_535],
	...addressed('METRICS_ADDRESS', ['0.0.0.0', '::', ...publicAddresses, ...privateAddresses]),
	...addressed('CANARY_WEBHOOK', privateAddresses),
	['LEAD_STORE', 'sqlite:/var/lib/leads with a space.db', { kind: 'sqlite', path: '/var/lib/leads with a space.db' }],
	...each('LEAD_STORE', ['postgres://leads:p%23ss@db.example:5432/leads', 'postgresql:///leads?host=/run'], {}, postgresAt),
	['LEAD_STORE', 'none', { kind: 'none' }],
	...each('SMTP_URL', ['smtp://u:p@localhost?requireTLS=false', 'smtp://a.example?requireTLS=false'], mailing),
	...each('SMTP_URL', ['smtp://u:p@a.example?requireTLS=true'], mailing),
	['LEAD_MAILBOX', ' var/mailbox ', 'var/mailbox'],
	['LEAD_EMAIL_TO', addressOf(254), [addressOf(254)], { LEAD_MAILBOX: 'var' }],
	['LEAD_EMAIL_TO', 'a..b.@b.example, c@müller.example', ['a..b.@b.example', 'c@xn--mller-kva.example'], { LEAD_MAILBOX: 'var' }],
	['LEAD_EMAIL_TO', 'root@localhost', ['root@localhost'], { LEAD_MAILBOX: 'var' }],
	['LEAD_EMAIL_ROUTES', 'lang=de:d@müller.example', [{ field: 'lang', value: 'de', to: ['d@xn--mller-kva.example'] }], mailed],
	['LEAD_WEBHOOK_URL', local.join('  '), local.map((url) => new URL(url))],
	['LEAD_WEBHOOK_SECRET', `whsec_${'a'.repeat(32)}`, [`whsec_${'a'.repeat(32)}`], posted],
	['LEAD_SPAM_URL', judges.join(' '), judges.map((url) => new URL(url))],
	['LEAD_RETENTION', '100y', 100 * 31_536_000],
	['LEAD_REMIND', '14d', 14 * 86_400],
	['LEAD_REMIND', 'off', 0],
	['LEAD_RETRY', '5s 5m 2h 1d', [5, 300, 7200, 86_400]],
	['LEAD_RATE_LIMIT', '20/10m', { limit: 20, window: 600 }],
	['LEAD_RATE_LIMIT', '999999999/24d', { limit: 999_999_999, window: 24 * 86_400 }],
	['LEAD_RATE_LIMIT', 'off', null],
	['FUNCTION_SECRET', canary.CANARY_SECRET, canary.CANARY_SECRET],
	['CANARY_SECRET', canary.CANARY_SECRET, expect.objectContaining({ symmetricKeySize: 32 })],
	...each('CANARY_IMAP_URL', ['imaps://a%40b:p@c.example', 'imap://a:p%2F@localhost:143/INBOX.x'], canary, URL.parse),
];

/** None of them is an address and a port. */
const unwritten = '9464 127.0.0.1 :9464 127.0.0.1:65536 127.1:9464 example.com:9464'.split(' ');

const refused: Partial<Record<keyof Settings, string[]>> = {
	HOST: ['[::1]'],
	PORT: ['65536'],
	METRICS_ADDRESS: unwritten,
	CANARY_WEBHOOK: [...unwritten, ...['0.0.0.0', '::', ...publicAddresses].map(withPort)],
	SMTP_URL: [
		...'a.example smtp:// smtp://user@a.example smtp://user:p%zz@a.example smtp://:password@a.example'.split(' '),
		...['false', '0', 'no'].map((value) => `smtp://user:password@a.example?requireTLS=${value}`),
	],
	LEAD_EMAIL_TO: [',', addressOf(255)],
	LEAD_EMAIL_ROUTES: [
		'lang=de:a@b.example contry=DE:a@b.example',
		...'toString=DE country=Germany country=XX country=EU country= lang=xx source='.split(' ').map((route) => `${route}:a@b.c`),
		...['', ':', ':,', ':sales', ':a@b.example,sales'].map((to) => `source=https://a.example${to}`),
	],
	LEAD_AUTOREPLY: ['yes'],
	LEAD_MAILBOX: ['package.json'],
	LEAD_STORE: ['leads.db', 'sqlite::memory:', 'postgres://leads:pass#word@db.example.com/leads'],
	LEAD_RETENTION: ['36501d', 'off'],
	LEAD_REMIND: ['15d', '0', 'on'],
	LEAD_RETRY: ['0'],
	LEAD_WEBHOOK_URL: [
		'http://hooks.example.com',
		'https://a.example/, https://b.example',
		// None of these hosts is surely this machine.
		...'localhost.a not-localhost 127.0.0.1.a a127.0.0.1 127.0.0.x [::1:1] 0.0.0.0'.split(' ').map((host) => `http://${host}/`),
		...['user:100%', '%FF:x', 'us%3Aer:x', 'user:%0D'].map((credentials) => `https://${credentials}@hooks.example.com`),
		'https://user:pass@hooks.slack.com/services/1',
		'https://api.telegram.org/bot1:secret/sendMessage',
		'https://a:b@a.example https://a:c@a.example',
		`${hubspot}/submissions/v3/integration/submit/1/${randomUUID()}`,
		`${hubspot}/secure/submit/1/x`,
	],
	LEAD_WEBHOOK_FORMAT: ['irc'],
	LEAD_WEBHOOK_SECRET: [`whsec_${'a'.repeat(31)}`],
	LEAD_SPAM_URL: [
		'http://127.0.0.1:11333/checkv2',
		'ftp://127.0.0.1',
		'openai+ftp://127.0.0.1/v1?model=m',
		...['llm.example.com', '8.8.8.8', '127.0.0.1.example', '[2a00::1]'].map((host) => `openai+http://${host}/v1?model=m`),
		...['', '?model=', '?model=m&n=o', '?n=o&model=m', '?model=m#n'].map((rest) => `openai+https://:KEY@a.example/v1${rest}`),
		...['me:KEY', 'me', ':K%zz', ':K%0A', ':K%C3%A9'].map((user) => `openai+https://${user}@a.example/v1?model=m`),
		'http://127.0.0.1:11333 openai+https://:KEY@llm.example.com/v1',
	],
	LEAD_LANGUAGE: ['x-nothing'],
	LEAD_TIME_ZONE: ['+01:00'],
	LEAD_RATE_LIMIT: ['20', '20/25d'],
	LOG_LEVEL: ['trace'],
	TRUST_PROXY: ['yes'],
	FUNCTION_SECRET: ['a'.repeat(31)],
	CANARY_IMAP_URL: ['c.example', 'https://a:p@c.example', 'imaps://c.example', 'imaps://a@c.example'],
	LEAD_BOUNCES_URL: ['c.example', 'imaps://a:p%zz@c.example'],
};

const chat = { LEAD_CHAT_MESSAGE: 'off', LEAD_STORE: 'none', LEAD_WEBHOOK_URL: 'https://hooks.slack.com/services/1' };
const secret = `whsec_${'a'.repeat(32)}`;
const smtp = { SMTP_URL: 'smtp://mail.example.com' };
type Unfit = [settings: NodeJS.ProcessEnv, ...variables: string[]];
/** Settings that are right alone, and not together, with the variables at fault then. */
const unfit: Unfit[] = [
	[smtp, 'LEAD_EMAIL_TO', 'LEAD_EMAIL_FROM'],
	[{ LEAD_EMAIL_TO: 'sales@example.com' }, 'SMTP_URL'],
	[{ LEAD_EMAIL_ROUTES: 'lang=de:a@b.example' }, 'SMTP_URL'],
	[{ LEAD_AUTOREPLY: 'on' }, 'SMTP_URL'],
	[{ LEAD_BOUNCES_URL: 'imaps://a:p@c.example' }, 'SMTP_URL'],
	[{ LEAD_BOUNCES_URL: 'imaps://a:p@c.example', LEAD_STORE: 'none' }, 'SMTP_URL', 'LEAD_STORE'],
	[{ LEAD_AUTOREPLY: 'on', LEAD_STORE: 'none' }, 'SMTP_URL', 'LEAD_STORE'],
	[{ LEAD_WEBHOOK_FORMAT: 'slack' }, 'LEAD_WEBHOOK_URL'],
	[{ LEAD_WEBHOOK_SECRET: secret }, 'LEAD_WEBHOOK_URL'],
	[{ LEAD_WEBHOOK_URL: 'https://a.example', LEAD_WEBHOOK_FORMAT: 'slack json' }, 'LEAD_WEBHOOK_FORMAT'],
	[{ ...posted, LEAD_WEBHOOK_FORMAT: 'slack', LEAD_WEBHOOK_SECRET: secret }, 'LEAD_WEBHOOK_SECRET'],
	[chat, 'LEAD_CHAT_MESSAGE'],
	[{ CANARY_EMAIL_TO: 'canary@example.com' }, 'SMTP_URL', 'CANARY_SECRET'],
	[{ CANARY_WEBHOOK: '127.0.0.1:9465' }, 'CANARY_SECRET'],
];

function faultyIn(read: () => unknown): string[] {
	try {
		read();
		return [];
	} catch (error) {
		return [...new Set(((error as SettingsError).cause as ZodError).issues.map(({ path }) => String(path[0])))];
	}
}

describe('settings', () => {
	test.each(taken)('%s may be %j', (variable, value, read, others = {}) => {
		expect(readSettings({ ...others, [variable]: value })[variable]).toEqual(read);
	});

	const alone = Object.entries(refused).flatMap(([name, values]) => values.map((value): Unfit => [{ [name]: value }, name]));
	test.each([...alone, ...unfit])('refuse %o, and say which variable is at fault', (settings, ...variables) => {
		expect(faultyIn(() => readSettings(settings)).toSorted()).toEqual(variables.toSorted());
	});

	test('say what must be, and give an example', () => {
		expect(() => readSettings({ LEAD_EMAIL_ROUTES: 'lang=de:a@b.example contry=DE:a@b.example' })).toThrow(
			'LEAD_EMAIL_ROUTES must, in route 2, begin with a field that routes can compare: country, lang, source. ' +
				'A whole route is country=DE:dach@example.com.',
		);
	});

	test('take an empty variable as one that is not set', () => {
		expect(readSettings({ SMTP_URL: ' ', LEAD_WEBHOOK_URL: '', PORT: '' })).toEqual(readSettings({}));
	});

	test.each([
		['mattermost', ['mattermost', 'mattermost']],
		['mattermost auto', ['mattermost', 'json']],
	])('take one format for all webhooks, or one for each: %s', (LEAD_WEBHOOK_FORMAT, formats) => {
		const targets = targetsOf(readSettings({ ...posted, LEAD_WEBHOOK_FORMAT }));
		expect(targets.map(({ format }) => format.name)).toEqual(formats);
	});

	test.each([
		{ LEAD_STORE: 'sqlite:leads.db' },
		{ LEAD_MAILBOX: 'var/mailbox' },
		{ LEAD_WEBHOOK_URL: `${chat.LEAD_WEBHOOK_URL} https://crm.example.com/` },
	])('let chat do without the text where a lead is kept, mailed or sent to a program: %o', (others) => {
		expect(readSettings({ ...chat, ...others }).LEAD_CHAT_MESSAGE).toBe(false);
	});

	test('say nothing of a webhook but its host, and nothing of a password', () => {
		const hosts = ['api.hsforms.com/secret?secret', 'api.telegram.org/bot1:secret/x', 'secret:secret%@a.example'];
		const urls = [...hosts, 'secret@hooks.slack.com/secret'].map((url) => `https://${url}`).join(' ');
		for (const settings of [{ LEAD_WEBHOOK_URL: urls }, { LEAD_SPAM_URL: 'openai+https://:secret@llm.example.com/secret' }])
			expect(() => readSettings(settings as NodeJS.ProcessEnv)).toThrow(/^((?!secret).)*$/s);
	});
});

describe('settings of the build', () => {
	test.each([
		...['https://a.example/', 'https://a.example/site', 'a.example', 'ftp://a.example'].map((SITE_URL) => ({ SITE_URL })),
		{ HYPERDRIVE_ID: 'e5d9b0c2-f3a1-4d6b-8c7e-9f0a1b2c3d4e' },
		...['a b', 'a+b', '.', 'ü'].map((BUILD_ID) => ({ BUILD_ID })),
	])('refuse %o', (environment: NodeJS.ProcessEnv) => {
		expect(faultyIn(() => buildSettings(environment))).toEqual(Object.keys(environment));
	});

	test('have an origin, which is this machine by default', () => {
		expect(buildSettings({}).SITE_URL).toBe('http://localhost:4321');
	});
});

test('the internet may reach a public address, and all addresses where the machine has one of that kind', () => {
	const onLink = ['fe80::1', 'fe80::1%br-lan', 'fe80::1%eth0.100'];
	expect([...privateAddresses, ...onLink].filter((address) => isPublic(address))).toEqual([]);
	expect(publicAddresses.filter((address) => !isPublic(address))).toEqual([]);
	const bothOn = (...addresses: string[]) => {
		const info = (address: string) => ({ address, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo;
		return ['0.0.0.0', '::'].map((host) => isPublic(host, () => ({ eth0: addresses.map(info) })));
	};
	expect(bothOn('127.0.0.1', '172.17.0.2', '169.254.1.1', '::1', 'fe80::1', 'fd00::1')).toEqual([false, false]);
	expect(bothOn('127.0.0.1', '203.0.113.9')).toEqual([true, true]);
	expect(bothOn('127.0.0.1', '2a00::1')).toEqual([false, true]);
	expect(isPublic('127.0.0.1', () => expect.unreachable())).toBe(false);
});

describe('settings from files', () => {
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
		const SMTP_URL = 'smtp://user:p%23ss@mail.example.com';
		const files = { PORT: '8080', SMTP_URL: `${SMTP_URL}\r\n`, LEAD_EMAIL_TO: 'a@example.com\n' };
		const read = await readWith(files, { LEAD_EMAIL_FROM: 'website@example.com' });
		expect(read).toMatchObject({ PORT: 8080, SMTP_URL, LEAD_EMAIL_TO: ['a@example.com'] });
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
		const unread = () => readSettings({ SMTP_URL_FILE: 'smtp://user:secret@a.example' });
		expect(unread).toThrow(/^The file of SMTP_URL_FILE cannot be read \(ENOENT\)\.(?!.*secret)/);
	});
});
