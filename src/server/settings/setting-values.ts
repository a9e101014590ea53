import { isIP } from 'node:net';
import * as z from 'zod';

/** An error that says what the variable must be. */
export const must = (wish: string, example: string) => ({ error: `must be ${wish}, for example ${example}` });

/** What is wrong with variables that belong together: the one at fault, and the rest of the sentence. */
export type Fault = [variable: string, fault: string];

/** A variable that another one needs. */
export const missing = (variable: string, because: string, example: string): Fault => [
	variable,
	`is missing: ${because}, for example ${variable}=${example}`,
];

/** Several values in one variable: at least one. */
export const several = <Item extends z.ZodType<unknown, string>>(separator: RegExp, item: Item) =>
	z
		.string()
		.transform((value) => value.split(separator).filter(Boolean))
		// Nothing but separators: one that is empty, which no item takes.
		.transform((parts) => (parts.length > 0 ? parts : ['']))
		.pipe(z.array(item));

/** A name or an address (RFC 4007 section 11: `fe80::1%eth0` too), without brackets and port. */
export const host = z
	.string()
	.refine((value) => isIP(value) > 0 || /^[\w.-]+$/.test(value), must('a host name or an address', 'localhost'));

export const port = z
	.string()
	.refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, must('a port, 65535 at most', '4321'))
	.transform(Number);

/** A mailbox (RFC 5321 section 4.5.3.1.3 limits its length). */
export const address = (wish: string, example: string) => z.email(must(wish, example)).max(254, must(wish, example));

const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : undefined);
const isLoopback = (value: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(value).hostname);

export const siteOrigin = z
	.string()
	.refine(
		(value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
		must('an origin (scheme and host, no path, no slash at the end)', 'https://www.example.com'),
	);

export const smtpUrl = z
	.string()
	.refine(
		isSmtpUrl,
		must(
			'an smtp or smtps URL with a host, and with a user and a percent-encoded password or neither',
			'smtp://user:password@mail.example.com:587',
		),
	);

function isSmtpUrl(value: string): boolean {
	if (!['smtp:', 'smtps:'].includes(protocolOf(value) ?? '')) return false;
	const { hostname, username, password } = new URL(value);
	return hostname !== '' && (username === '') === (password === '');
}

export const webhookUrl = z
	.string()
	.refine(
		(value) => protocolOf(value) === 'https:' || (protocolOf(value) === 'http:' && isLoopback(value)),
		must(
			'one https URL or several between spaces (http only for this machine)',
			'https://hooks.slack.com/services/T000/B000/XXXX',
		),
	)
	.transform((value) => new URL(value))
	// The Fetch Standard refuses to ask a URL with credentials.
	.refine(
		({ username, password }) => !username && !password,
		must('a URL without a user name and password', 'https://hooks.example.com/leads'),
	);

export const signingSecret = z
	.string()
	.regex(
		/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
		must('whsec_ followed by at least 24 bytes in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
	);

/** What SQLite would take for a URI or for memory is no path. */
const sqliteForm = /^sqlite:(?!file:|:memory:).+$/;
const isPostgresUrl = (value: string) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value);

export const leadStore = z
	.string()
	.refine(
		(value) => value === 'none' || sqliteForm.test(value) || isPostgresUrl(value),
		must('sqlite: and a path, a postgres:// URL, or none', 'sqlite:var/leads.db'),
	);
