import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { defaultRateLimit } from '../../facts/facts.ts';
import { defaultLanguage, knownLanguage, languages } from '../../facts/load.ts';
import { isPrivateAddress } from '../../api/network.ts';
import { addressPattern, cleanAddress } from '../../lead/email-address.ts';
import { formatNames } from '../../channels/webhook.ts';
import { type MailRoute, routeFields } from '../../channels/routes.ts';
import type { StoreSetting } from '../../store/index.ts';
import { isLoopback, mustBe, valueFrom } from '../../lead/values.ts';

/** The rules of single settings. `settings.ts` says which setting has which. */

/** A switch. True for `on`. */
export const onOff = (preset: 'on' | 'off') =>
	z
		.enum(['on', 'off'], mustBe('on or off', 'on'))
		.prefault(preset)
		.transform((value) => value === 'on');

export const oneOf = <const Words extends string[]>(words: Words, preset: Words[number]) =>
	z.enum(words, mustBe(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, preset)).default(preset as never);

/** A name or an address (RFC 4007 section 11: `fe80::1%eth0` too), without brackets and port. */
export const host = z
	.string()
	.refine((value) => isIP(value) > 0 || /^[\w.-]+$/.test(value), mustBe('a host name or an address', 'localhost'));

export const port = valueFrom(
	(text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
	Number,
	mustBe('a port, 65535 at most', '4321'),
);

/** An address that only this machine or a private network can reach: `127.0.0.1:9464`, `[::1]:9464`. */
export const privateAddress = valueFrom(
	(text) => {
		const { host = '' } = hostAndPort(text) ?? {};
		return host === 'localhost' || isPrivateAddress(host);
	},
	(text) => hostAndPort(text)!,
	mustBe('an address of this machine or of a private network, with a port', '127.0.0.1:9464'),
);

/** Reads it as the beginning of a URL. `tcp:` has no usual port, which would be left out. */
function hostAndPort(text: string): { host: string; port: number } | undefined {
	const { host, hostname = '', port } = URL.parse(`tcp://${text}`) ?? {};
	return host === text && port ? { host: hostname.replace(/[[\]]/g, ''), port: Number(port) } : undefined;
}

export const SMTP_EXAMPLE = 'smtp://user:password@mail.example.com:587';

export const smtpUrl = z
	.string()
	.refine(
		isSmtpUrl,
		mustBe('an smtp or smtps URL with a host, and with a user and a percent-encoded password or neither', SMTP_EXAMPLE),
	);

function isSmtpUrl(value: string): boolean {
	const { protocol = '', hostname = '', username = '', password = '' } = URL.parse(value) ?? {};
	try {
		// A password such as `p%zz` would fail with each mail.
		decodeURIComponent(username + password);
	} catch {
		return false;
	}
	return /^smtps?:$/.test(protocol) && hostname !== '' && (username === '') === (password === '');
}

/** A mailbox (RFC 5321 section 4.5.3.1.3 limits its length), with its domain in ASCII. */
export const address = (wish: string, example: string) =>
	z
		.string()
		.transform(cleanAddress)
		.pipe(z.string().regex(addressPattern, mustBe(wish, example)).max(254, mustBe(wish, example)));

/** Names a route by its number, because a value may be a secret that was put into the wrong variable. */
export const mailRoutes = z.string().transform((text, context) =>
	text.split(/\s+/).map((route, index): MailRoute => {
		const [, field = '', value = '', list = ''] = /^([^=]*)=?(.*?)(?::([^:]*))?$/.exec(route)!;
		const to = list
			.split(',')
			.filter(Boolean)
			.map((each) => address('', '').safeParse(each));
		const comparison = Object.entries(routeFields).find(([name]) => name === field)?.[1];
		const wish = !comparison
			? `begin with a field that routes can compare: ${Object.keys(routeFields).join(', ')}`
			: !comparison.knows(value)
				? `have, behind ${field}=, ${comparison.form}`
				: !(to.length > 0 && to.every(({ success }) => success)) && 'end with a colon and one address or several between commas';
		if (wish) context.addIssue(`must, in route ${index + 1}, ${wish}. A whole route is country=DE:dach@example.com`);
		return { field: field as MailRoute['field'], value, to: to.flatMap(({ data }) => data ?? []) };
	}),
);

/** A folder that exists and is writable, or that can be created. */
export const writableFolder = z
	.string()
	.refine(
		(value) => isWritableFolder(nearestFolder(resolve(value))),
		mustBe('a folder that this process may write, or can make', 'var/mailbox'),
	);

/** Returns the path or, if it does not exist, the nearest existing folder above it. */
const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)));

function isWritableFolder(path: string): boolean {
	try {
		accessSync(path, constants.W_OK | constants.X_OK);
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}

export const webhookUrl = z
	.string()
	.refine(
		(value) => !endsWithComma.test(value) && (protocolOf(value) === 'https:' || isLocal(value)),
		mustBe(
			'one https URL or several between spaces (http only for this machine)',
			'https://hooks.slack.com/services/T000/B000/XXXX',
		),
	)
	.transform((value) => new URL(value));

const isLocal = (value: string) => protocolOf(value) === 'http:' && isLoopback(new URL(value));

/** Several URLs with commas, read as one URL, would reach nobody. */
const endsWithComma = /,(?:$|https?:)/i;

export const webhookFormat = z.enum(['auto', ...formatNames], mustBe(['auto', ...formatNames].join(' or '), 'auto'));

export const store = valueFrom(
	(text) => storeOf(text) !== undefined,
	(text) => storeOf(text)!,
	mustBe('sqlite: and a path, a postgres:// URL, or none', 'sqlite:var/leads.db'),
);

function storeOf(value: string): StoreSetting | undefined {
	if (value === 'none') return { kind: 'none' };
	if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) return { kind: 'postgres', url: value };
	const path = sqliteForm.exec(value)?.[1];
	return path === undefined ? undefined : { kind: 'sqlite', path };
}

/** SQLite would read `file:` as a URI and `:memory:` as memory, so neither is a path. */
const sqliteForm = /^sqlite:((?!file:|:memory:).+)$/;

/** Found by lookup, as for visitors: `de-AT` finds `de`. */
export const teamLanguage = valueFrom(
	(text) => knownLanguage(text) !== undefined,
	(text) => knownLanguage(text)!,
	mustBe(languages.join(' or '), defaultLanguage),
);

export const timeZone = z.string().refine(isTimeZone, mustBe('a name of the IANA time zone database', 'Europe/Berlin'));

function isTimeZone(value: string): boolean {
	try {
		// The other kind of value that it accepts is an offset, which knows no summer time.
		return /^[a-z]/i.test(value) && Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
	} catch {
		return false;
	}
}

export const USUAL_LIMIT = `${defaultRateLimit.leads}/${defaultRateLimit.minutes}m`;

export const engineUrl = z
	.string()
	.refine(
		(value) => /^https?:$/.test(protocolOf(value) ?? '') && new URL(value).href === `${new URL(value).origin}/`,
		mustBe('the address of rspamd: scheme, host and port', 'http://127.0.0.1:11333'),
	)
	.transform((value) => new URL(value));

/** Returns the protocol with its colon, or undefined if the value is no URL. */
const protocolOf = (value: string) => URL.parse(value)?.protocol;
