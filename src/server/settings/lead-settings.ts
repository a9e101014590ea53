import * as z from 'zod';
import type { StoreSetting } from '../../lead/store/index.ts';
import { defaultLanguage, knownLanguage, languages } from '../../facts/load.ts';
import { rateLimitOrOff } from '../../values/rate-limit-policy.ts';
import { duration, durationOrNone, LONGEST_KEPT } from '../../values/time.ts';
import { listOf, mustBe, valueFrom } from '../../values/value.ts';
import { group, protocolOf } from './setting-values.ts';
import { defaultRateLimit } from '../../facts/facts.ts';

const leadStore = valueFrom(
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

/** The variable, also for other groups whose checks depend on it. */
export const storeVariable = { LEAD_STORE: leadStore.prefault('sqlite:var/leads.db') };

/** Found by lookup, as for visitors: `de-AT` finds `de`. */
const teamLanguage = valueFrom(
	(text) => knownLanguage(text) !== undefined,
	(text) => knownLanguage(text)!,
	mustBe(languages.join(' or '), defaultLanguage),
);

const timeZone = z.string().refine(isTimeZone, mustBe('a name of the IANA time zone database', 'Europe/Berlin'));

function isTimeZone(value: string): boolean {
	try {
		// The other kind of value that it accepts is an offset, which knows no summer time.
		return /^[a-z]/i.test(value) && Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
	} catch {
		return false;
	}
}

const spamUrl = z
	.string()
	.refine(
		(value) => /^https?:$/.test(protocolOf(value) ?? '') && new URL(value).href === `${new URL(value).origin}/`,
		mustBe('the address of rspamd: scheme, host and port', 'http://127.0.0.1:11333'),
	)
	.transform((value) => new URL(value));

const usualLimit = `${defaultRateLimit.leads}/${defaultRateLimit.minutes}m`;

/** How leads are taken, kept and retried. */
export const leadSettings = group(
	{
		...storeVariable,
		LEAD_LANGUAGE: teamLanguage.prefault(defaultLanguage),
		LEAD_TIME_ZONE: timeZone.default('UTC'),
		LEAD_RETENTION: durationOrNone(LONGEST_KEPT, '30d').prefault('30d'),
		LEAD_RETRY: listOf(/\s+/, duration(LONGEST_KEPT, '5m')).prefault('5s 5m 30m 2h 5h 10h 14h 20h 24h'),
		LEAD_RATE_LIMIT: rateLimitOrOff(usualLimit).prefault(usualLimit),
		LEAD_SPAM: z.enum(['off', 'mark', 'hold'], mustBe('off, mark or hold', 'hold')).prefault('hold'),
		LEAD_SPAM_URL: spamUrl.optional(),
	},
	(values) => [
		values.LEAD_SPAM === 'off' &&
			values.LEAD_SPAM_URL && ['LEAD_SPAM', 'must be mark or hold where LEAD_SPAM_URL names an engine to ask'],
	],
	(values) => ({
		/** Where leads are kept until they are delivered. */
		store: values.LEAD_STORE,
		/** The language of the sales team, one of the published languages, and its time zone. */
		language: values.LEAD_LANGUAGE,
		timeZone: values.LEAD_TIME_ZONE,
		/** How long a delivered lead is kept, in seconds. */
		retention: values.LEAD_RETENTION,
		/** How long to wait after each failed try, in seconds. */
		schedule: values.LEAD_RETRY,
		/** Undefined: no limit. `window` is in seconds. */
		rateLimit: values.LEAD_RATE_LIMIT,
		/** The treatment of leads that look like spam, and the engine that is asked too. */
		spam: { mode: values.LEAD_SPAM, url: values.LEAD_SPAM_URL },
	}),
);
