import { isTime, LONGEST_TIMER, secondsOf, timeText, timeWords } from './time.ts';
import { isAmount, mustBe, valueFrom } from './value.ts';

/** How many leads one client may send in how much time. */
export interface RateLimitPolicy {
	limit: number;
	/** In seconds. */
	window: number;
}

const WISH = `a number of leads and a time of ${LONGEST_TIMER} at most`;

/** `20/10m` */
export const rateLimit = (example: string) => valueFrom(isRateLimit, policyOf, mustBe(WISH, example));

/** Reads a policy or `off`, which is undefined. */
export const rateLimitOrOff = (example: string) =>
	valueFrom(
		(text) => text === 'off' || isRateLimit(text),
		(text) => (text === 'off' ? undefined : policyOf(text)),
		mustBe(`${WISH}, or off`, example),
	);

function isRateLimit(value: string): boolean {
	const [limit = '', window = '', ...rest] = value.split('/');
	return isAmount(limit) && isTime(window, LONGEST_TIMER) && rest.length === 0;
}

function policyOf(value: string): RateLimitPolicy {
	const [limit, window] = value.split('/');
	return { limit: Number(limit), window: secondsOf(window!) };
}

/** Writes a policy as in a setting: `200/10m`. */
export const limitText = ({ limit, window }: RateLimitPolicy) => `${limit}/${timeText(window)}`;

/** Writes a policy for people: `200 leads in 10 minutes`. */
export const limitWords = ({ limit, window }: RateLimitPolicy) =>
	`${limit} ${limit === 1 ? 'lead' : 'leads'} in ${timeWords(window)}`;
