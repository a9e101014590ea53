import { isIPv6 } from 'node:net';
import * as z from 'zod';
import { localeOf } from '../facts/language.ts';

/** Returns an error that says what a value must be. */
export const mustBe = (wish: string, example: string) => ({ error: `must be ${wish}, for example ${example}` });

/** Several values in one text, at least one. */
export const listOf = <Item extends z.ZodType<unknown, string>>(separator: RegExp, item: Item) =>
	z
		.string()
		.transform((value) => value.split(separator).filter(Boolean))
		// A text of separators alone becomes one empty value, which no item accepts: so the error is the item's own.
		.transform((parts) => (parts.length > 0 ? parts : ['']))
		.pipe(z.array(item));

/** Returns true if a URL leads to this machine and nowhere else (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);

/** Returns the origin of a server at a host and a port, with an IPv6 address in brackets (RFC 3986 section 3.2.2). */
export const originAt = (host: string, port: number): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** A text that passes a test, which `wish` puts into words. */
const passing = (passes: (text: string) => unknown, wish: string, example: string) =>
	z.string().refine(passes, mustBe(wish, example));

/** A text of this form. */
export const textLike = (form: RegExp, wish: string, example: string) => z.string().regex(form, mustBe(wish, example));

/** Almost the limit of Node's timers, which is 2^31 - 1 milliseconds. A longer timer would end at once. */
export const LONGEST_TIMER = '24d';
/** A hundred years: every store can keep the date in milliseconds. */
export const LONGEST_KEPT = '36500d';

/** The largest first. `size` is in seconds. */
const units = [
	{ letter: 'y', name: 'year', size: 31_536_000 },
	{ letter: 'd', name: 'day', size: 86_400 },
	{ letter: 'h', name: 'hour', size: 3600 },
	{ letter: 'm', name: 'minute', size: 60 },
	{ letter: 's', name: 'second', size: 1 },
];

/** The units of a time, for messages. */
export const TIME_UNITS = 's, m, h, d or y (365 days)';

/** Returns the seconds of a time such as `30d`, or of `0`. */
export const secondsOf = (time: string) =>
	Number.parseInt(time, 10) * (units.find(({ letter }) => time.endsWith(letter))?.size ?? 0);

/** Returns true if a text is a time such as `30d`, and not longer than this. */
const isTime = (text: string, longest: string) => /^[1-9]\d*[smhdy]$/.test(text) && secondsOf(text) <= secondsOf(longest);

/** A time such as `30d`, in seconds; `none`, if there may be none, is 0. */
export function duration(longest: string, example: string, none?: '0' | 'off') {
	const wish = `a time in ${TIME_UNITS}, ${none ? `${longest} at most, or ${none}` : `from 1s to ${longest}`}`;
	const read = passing((text) => text === none || isTime(text, longest), wish, example);
	return read.transform((text) => (text === none ? 0 : secondsOf(text)));
}

/** Returns the largest unit that a time is a whole number of. */
function wholeUnits(seconds: number) {
	const { size, ...unit } = units.find(({ size }) => seconds % size === 0)!;
	return { count: seconds / size, ...unit };
}

/** Writes a time for people: `10 minutes`. */
function timeWords(seconds: number, language = 'en'): string {
	const { count, name } = wholeUnits(seconds);
	return count.toLocaleString(localeOf(language), { style: 'unit', unit: name, unitDisplay: 'long', useGrouping: false });
}

/** Puts a time into words, rounded to the largest unit that fits, and to a second at least. */
export function roughTime(seconds: number, language?: string): string {
	const whole = Math.max(1, Math.round(seconds));
	const { size } = units.find(({ size }) => size <= whole)!;
	return timeWords(Math.round(whole / size) * size, language);
}

/** How many leads one client may send in how much time. */
export interface RateLimitPolicy {
	limit: number;
	/** In seconds. */
	window: number;
}

const WISH = `a number of leads and a time of ${LONGEST_TIMER} at most`;

/** Reads a policy such as `20/10m`. A number of at most nine digits fits into 32 bits. */
function policyOf(text: string): RateLimitPolicy | undefined {
	const [, limit, window = ''] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? [];
	return isTime(window, LONGEST_TIMER) ? { limit: Number(limit), window: secondsOf(window) } : undefined;
}

export const rateLimit = (example: string) => passing(policyOf, WISH, example).transform((text) => policyOf(text)!);

/** Reads a policy or `off`, which is undefined. */
export const rateLimitOrOff = (example: string) =>
	passing((text) => text === 'off' || policyOf(text), `${WISH}, or off`, example).transform(policyOf);

/** Writes a policy as in a setting: `200/10m`. */
export function limitText({ limit, window }: RateLimitPolicy): string {
	const { count, letter } = wholeUnits(window);
	return `${limit}/${count}${letter}`;
}

/** Writes a policy for people: `200 leads in 10 minutes`. */
export const limitWords = ({ limit, window }: RateLimitPolicy) =>
	`${limit} ${limit === 1 ? 'lead' : 'leads'} in ${timeWords(window)}`;
