import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { defaultLanguage, knownLanguage, languages } from '../../facts/load.ts';
import { cleanAddress, mailboxPattern } from '../../lead/email-address.ts';
import { type MailRoute, routeFields } from '../../channels/routes.ts';
import type { StoreSetting } from '../../store/store.ts';
import { isLoopback, listOf, mustBe, parseIp, readBy } from '../../lead/values.ts';

/** The rules of single settings. `settings.ts` says which setting has which. */

export const oneOf = <const Words extends string[]>(...words: Words) =>
	z.enum(words, { error: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` });

/** A switch. True for `on`. */
export const onOff = (preset: 'on' | 'off') =>
	oneOf('on', 'off')
		.prefault(preset)
		.transform((value) => value === 'on');

/** A name or an address (RFC 4007 section 11: `fe80::1%eth0` too), without brackets and port. */
export const host = z
	.string()
	.refine((value) => isIP(value) > 0 || /^[\w.-]+$/.test(value), mustBe('a host name or an address', 'localhost'));

export const port = readBy('a port, 65535 at most', '4321', (text) =>
	/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
);

/** Ranges that the internet cannot reach. */
const privateRanges = new Set<string>(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
const isPrivate = (address: string) => privateRanges.has(parseIp(address).range());

/** Returns a schema of an address with a port: `127.0.0.1:9464`, `[::1]:9464`. `fits` is asked about every address but `localhost`. */
const addressWhere = (wish: string, example: string, fits: (address: string) => boolean) =>
	readBy(wish, example, (text) => {
		// `tcp:` has no usual port, which would be left out.
		const url = new URL(`tcp://${text}`);
		const host = url.hostname.replace(/[[\]]/g, '');
		const isRight = host === 'localhost' || (isIP(host) > 0 && fits(host));
		return isRight && url.host === text && url.port ? { host, port: Number(url.port) } : undefined;
	});

/** An address of this machine. `0.0.0.0` and `::` are all of its addresses. */
export const ownAddress = addressWhere('an address of this machine, not a name, with a port', '127.0.0.1:9464', () => true);

/** An address that only this machine or a private network can reach. */
export const privateAddress = addressWhere(
	'an address of a private network or this machine, and port',
	'127.0.0.1:9465',
	isPrivate,
);

/** Not those that belong to a link, such as `fe80::1`, nor names. */
const isOpen = (address: string) => isIP(address) > 0 && !isPrivate(address) && parseIp(address).range() !== 'linkLocal';

/** Returns whether the internet can reach a server that listens at an {@link ownAddress}, if no firewall prevents it. */
export function isPublic(host: string, interfaces = networkInterfaces): boolean {
	if (host !== '0.0.0.0' && host !== '::') return isOpen(host);
	const all = Object.values(interfaces()).flatMap((addresses) => addresses ?? []);
	return all.some(({ address, family }) => (host === '::' || family === 'IPv4') && isOpen(address));
}

/** Returns the origin of a server at a host and a port, with an IPv6 address in brackets (RFC 3986 section 3.2.2). */
export const originAt = (host: string, port: number): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

export const SMTP_EXAMPLE = 'smtp://user:password@mail.example.com:587';

export const smtpUrl = readBy(
	'an smtp or smtps URL with a host, and with a user and a percent-encoded password or neither; a password requires TLS',
	SMTP_EXAMPLE,
	(text) => {
		const url = new URL(text);
		const { protocol, hostname, username, password, searchParams } = url;
		// The password could be read on its way.
		if (username && !/^(true)?$/.test(searchParams.get('requireTLS') ?? '') && !isLoopback(url)) return undefined;
		// A password such as `p%zz` would fail with each mail.
		decodeURIComponent(username + password);
		return /^smtps?:$/.test(protocol) && hostname && Boolean(username) === Boolean(password) ? text : undefined;
	},
);

/** A mailbox to read: the user's, or with a path another of theirs (RFC 5092). */
export const imapUrl = readBy(
	'an imaps URL with a host, a user and a percent-encoded password',
	'imaps://canary%40example.com:password@imap.example.com',
	(text) => {
		const url = new URL(text);
		const isComplete = /^imaps?:$/.test(url.protocol) && url.hostname && url.username && url.password;
		return isComplete && decodeURIComponent(url.username + url.password + url.pathname) ? url : undefined;
	},
);

/** A mailbox (RFC 5321 section 4.5.3.1.3 limits its length), with its domain in ASCII. */
export const address = (wish: string, example: string) =>
	z
		.string()
		.transform(cleanAddress)
		.pipe(z.string().regex(mailboxPattern, mustBe(wish, example)).max(254, mustBe(wish, example)));

/** Names a route by its number, because a value may be a secret that was put into the wrong variable. */
export const mailRoutes = z.string().transform((text, context) =>
	text.split(/\s+/).map((route, index): MailRoute => {
		const [, field = '', value = '', list = ''] = /^([^=]*)=?(.*?)(?::([^:]*))?$/.exec(route)!;
		const to = listOf(/,/, address('', '')).safeParse(list);
		const comparison = Object.entries(routeFields).find(([name]) => name === field)?.[1];
		const wish = !comparison
			? `begin with a field that routes can compare: ${Object.keys(routeFields).join(', ')}`
			: !comparison.knows(value)
				? `have, behind ${field}=, ${comparison.form}`
				: !to.success && 'end with a colon and one address or several between commas';
		if (wish) context.addIssue(`must, in route ${index + 1}, ${wish}. A whole route is country=DE:dach@example.com`);
		return { field: field as MailRoute['field'], value, to: to.data ?? [] };
	}),
);

/** A folder that exists and is writable, or that can be created. */
export const writableFolder = readBy('a folder that this process may write, or can make', 'var/mailbox', (text) => {
	let folder = resolve(text);
	while (!existsSync(folder)) folder = dirname(folder);
	accessSync(folder, constants.W_OK | constants.X_OK);
	return statSync(folder).isDirectory() ? text : undefined;
});

export const webhookUrl = readBy(
	'one https URL or several between spaces (http only for this machine)',
	'https://hooks.slack.com/services/T000/B000/XXXX',
	(text) => {
		const url = new URL(text);
		const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
		// Several URLs with commas, read as one URL, would reach nobody.
		return isSafe && !/,(?:$|https?:)/i.test(text) ? url : undefined;
	},
);

export const store = readBy<StoreSetting>('sqlite: and a path, a postgres:// URL, or none', 'sqlite:var/leads.db', (text) => {
	if (text === 'none') return { kind: 'none' };
	if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text };
	// SQLite would read `file:` as a URI and `:memory:` as memory, so neither is a path.
	const path = /^sqlite:((?!file:|:memory:).+)$/.exec(text)?.[1];
	return path === undefined ? undefined : { kind: 'sqlite', path };
});

/** Found by lookup, as for visitors: `de-AT` finds `de`. */
export const teamLanguage = readBy(languages.join(' or '), defaultLanguage, knownLanguage);

export const timeZone = readBy('a name of the IANA time zone database', 'Europe/Berlin', (text) => {
	const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
	// The other kind of value that it accepts is an offset, which knows no summer time.
	return /^[a-z]/i.test(timeZone) ? text : undefined;
});

export const engineUrl = readBy(
	'the address of rspamd (scheme, host and port), or of a language model, with openai+http only on this machine or a private network',
	'http://127.0.0.1:11333 or openai+https://:KEY@llm.example.com/v1?model=NAME',
	(text) => {
		const [, ofModel] = /^openai\+(https?:\/\/(?::[^@/]*@)?[^@?#]+\?model=[^&#]+)$/.exec(text) ?? [];
		const url = new URL(ofModel ?? text);
		const { protocol, hostname, password, origin, href } = url;
		if (!ofModel) return /^https?:$/.test(protocol) && href === `${origin}/` ? url : undefined;
		const isSafe = protocol === 'https:' || isLoopback(url) || isPrivate(hostname.replace(/[[\]]/g, ''));
		// The key goes into a header.
		return isSafe && /^[!-~]*$/.test(decodeURIComponent(password)) ? new URL(text) : undefined;
	},
);
