import * as z from 'zod';
import { must } from './setting-values.ts';

/** Almost as far as the timers of Node.js reach, which is 2^31 - 1 milliseconds. A longer one would be over at once. */
export const LONGEST_TIMER = '24d';
/** A hundred years: still a date, in milliseconds, for every store. */
export const LONGEST_KEPT = '36500d';

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 };
/** What a time is written in, for messages. */
export const TIME_UNITS = 's, m, h, d or y (365 days)';
/** How many seconds a time such as `30d` has. */
export const secondsOf = (time: string) => Number.parseInt(time, 10) * secondsIn[time.at(-1) as keyof typeof secondsIn];
const isTime = (value: string, longest: string) => /^[1-9]\d*[smhdy]$/.test(value) && secondsOf(value) <= secondsOf(longest);

/** A time such as `30d`, in seconds. */
export const duration = (longest: string, example: string) =>
	z
		.string()
		.refine((value) => isTime(value, longest), must(`a time in ${TIME_UNITS}, from 1s to ${longest}`, example))
		.transform(secondsOf);

/** The same, or `0` for none. */
export const durationOrNone = (longest: string, example: string) =>
	z
		.string()
		.refine(
			(value) => value === '0' || isTime(value, longest),
			must(`a time in ${TIME_UNITS}, ${longest} at most, or 0`, example),
		)
		.transform((value) => (value === '0' ? 0 : secondsOf(value)));

/** Nine digits at most, which fit into 32 bits. */
const isAmount = (value: string) => /^[1-9]\d{0,8}$/.test(value);

/** A number from 1. */
export const amount = (wish: string, example: string) =>
	z
		.string()
		.refine(isAmount, must(`${wish}, 999999999 at most`, example))
		.transform(Number);

const LIMIT = `a number of leads and a time of ${LONGEST_TIMER} at most`;

/** `20/10m` as a number and seconds. */
export const rateLimit = (example: string) => z.string().refine(isRateLimit, must(LIMIT, example)).transform(limitOf);

/** The same; `off` is undefined. */
export const rateLimitOrOff = (example: string) =>
	z
		.string()
		.refine((value) => value === 'off' || isRateLimit(value), must(`${LIMIT}, or off`, example))
		.transform((value) => (value === 'off' ? undefined : limitOf(value)));

function isRateLimit(value: string): boolean {
	const [limit = '', window = '', ...rest] = value.split('/');
	return isAmount(limit) && isTime(window, LONGEST_TIMER) && rest.length === 0;
}

function limitOf(value: string) {
	const [limit, window] = value.split('/');
	return { limit: Number(limit), window: secondsOf(window!) };
}
