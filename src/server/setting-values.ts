import * as z from 'zod';

/** An error that says what the variable must be. */
export const must = (wish: string, example: string) => ({ error: `must be ${wish}, for example ${example}` });

/** Several values in one variable. */
export const several = <Item extends z.ZodType<unknown, string>>(separator: RegExp, item: Item) =>
	z
		.string()
		.transform((value) => value.split(separator).filter(Boolean))
		.pipe(z.array(item));

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400 };
const secondsOf = (duration: string) => Number.parseInt(duration, 10) * secondsIn[duration.at(-1) as keyof typeof secondsIn];

/** A time such as `30d`, in seconds; `0` is none. */
export const duration = z
	.string()
	.regex(/^(0|[1-9]\d*[smhd])$/, must('a time in s, m, h or d', '30d'))
	.transform((value) => (value === '0' ? 0 : secondsOf(value)));

/** `20/10m` as a number and seconds; `off` is undefined. */
export const rateLimit = z
	.string()
	.regex(/^(off|[1-9]\d*\/[1-9]\d*[smhd])$/, must('a number of leads and a time, or off', '20/10m'))
	.transform((value) => {
		const [limit, window] = value.split('/');
		return limit === undefined || window === undefined ? undefined : { limit: Number(limit), window: secondsOf(window) };
	});

export const port = z
	.string()
	.regex(/^\d{1,5}$/, must('a port', '4321'))
	.transform(Number);

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
		(value) => ['smtp:', 'smtps:'].includes(protocolOf(value) ?? ''),
		must('an smtp or smtps URL with a percent-encoded password', 'smtp://user:password@mail.example.com:587'),
	);

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

export const leadStore = z
	.string()
	.regex(
		/^(none|sqlite:.+|postgres(ql)?:\/\/.+)$/,
		must('sqlite: and a path, a postgres:// URL, or none', 'sqlite:var/leads.db'),
	);
