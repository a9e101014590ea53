import * as z from 'zod';
import { must } from './setting-values.ts';

/** Almost as far as the timers of Node.js reach, which is 2^31 - 1 milliseconds. A longer one would be over at once. */
export const LONGEST_TIMER = '24d';
/** A hundred years: still a date, in milliseconds, for every store. */
export const LONGEST_KEPT = '36500d';

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400 };
/** How many seconds a time such as `30d` has. */
export const secondsOf = (time: string) => Number.parseInt(time, 10) * secondsIn[time.at(-1) as keyof typeof secondsIn];
const isTime = (value: string, longest: string) => /^[1-9]\d*[smhd]$/.test(value) && secondsOf(value) <= secondsOf(longest);

/** A time such as `30d`, in seconds. */
export const duration = (longest: string, example: string) =>
	z
		.string()
		.refine((value) => isTime(value, longest), must(`a time in s, m, h or d, from 1s to ${longest}`, example))
		.transform(secondsOf);

/** The same, or `0` for none. */
export const durationOrNone = (longest: string, example: string) =>
	z
		.string()
		.refine((value) => value === '0' || isTime(value, longest), must(`a time in s, m, h or d, ${longest} at most, or 0`, example))
		.transform((value) => (value === '0' ? 0 : secondsOf(value)));

/** Nine digits at most, which fit into 32 bits. */
const isAmount = (value: string) => /^[1-9]\d{0,8}$/.test(value);

/** A number from 1. */
export const amount = (wish: string, example: string) =>
	z
		.string()
		.refine(isAmount, must(`${wish}, 999999999 at most`, example))
		.transform(Number);

/** `20/10m` as a number and seconds; `off` is undefined. */
export const rateLimit = z
	.string()
	.refine(
		(value) => value === 'off' || isRateLimit(value.split('/')),
		must(`a number of leads and a time of ${LONGEST_TIMER} at most, or off`, '20/10m'),
	)
	.transform((value) => {
		const [limit, window] = value.split('/');
		return limit === undefined || window === undefined ? undefined : { limit: Number(limit), window: secondsOf(window) };
	});

const isRateLimit = ([limit = '', window = '', ...rest]: string[]) =>
	isAmount(limit) && isTime(window, LONGEST_TIMER) && rest.length === 0;
