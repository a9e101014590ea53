import ipaddr from 'ipaddr.js';
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

/** Parses an IP address, without its zone (RFC 4007 section 11): the name of an interface, which the parser may not accept. */
export const parseIp = (address: string) => ipaddr.process(address.split('%', 1)[0]!);

/** Returns true if a URL leads to this machine and nowhere else (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);

/** Returns a schema of a text that `read` turns into a value. The text is wrong where that is undefined or throws. */
export const readBy = <Value>(wish: string, example: string, read: (text: string) => Value | undefined) =>
	z.string().transform((text, context): Value => {
		try {
			const value = read(text);
			if (value !== undefined) return value;
		} catch {
			// Such as a URL that is none.
		}
		context.addIssue(mustBe(wish, example).error);
		return z.NEVER;
	});

export const textLike = (form: RegExp, wish: string, example: string) => z.string().regex(form, mustBe(wish, example));

/** Almost the limit of Node's timers, which is 2^31 - 1 milliseconds. A longer timer would end at once. */
export const LONGEST_TIMER = '24d';
/** A hundred years: every store can keep the date in milliseconds. */
export const LONGEST_KEPT = '36500d';

/** In milliseconds. */
export const [HOUR_MS, DAY_MS] = [3600_000, 86_400_000];

/** Returns the time, ISO 8601 in UTC. Writes it once a millisecond: that takes a twentieth of a health check's processor time. */
export function isoNow(): string {
	const now = Date.now();
	if (now !== written.time) written = { time: now, text: new Date(now).toISOString() };
	return written.text;
}
let written = { time: 0, text: '' };

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

/** Returns the seconds of a time, or undefined for a longer one than this and for any other text. */
const timeIn = (text: string, longest: string) =>
	/^[1-9]\d*[smhdy]$/.test(text) && secondsOf(text) <= secondsOf(longest) ? secondsOf(text) : undefined;

/** A time such as `30d`, in seconds; `none`, if there may be none, is 0. */
export function duration(longest: string, example: string, none?: '0' | 'off') {
	const wish = `a time in ${TIME_UNITS}, ${none ? `${longest} at most, or ${none}` : `from 1s to ${longest}`}`;
	return readBy(wish, example, (text) => (text === none ? 0 : timeIn(text, longest)));
}

/** Returns the largest unit that a time is a whole number of. */
export function wholeUnits(seconds: number) {
	const { size, ...unit } = units.find(({ size }) => seconds % size === 0)!;
	return { count: seconds / size, ...unit };
}

/** Writes a time for people: `10 minutes`. */
export function timeWords(seconds: number, language = 'en'): string {
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
	const [, limit, time = ''] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? [];
	const window = timeIn(time, LONGEST_TIMER);
	return window === undefined ? undefined : { limit: Number(limit), window };
}

export const rateLimit = (example: string) => readBy(WISH, example, policyOf);

/** Reads a policy or `off`, which is null. */
export const rateLimitOrOff = (example: string) =>
	readBy(`${WISH}, or off`, example, (text) => (text === 'off' ? null : policyOf(text)));
