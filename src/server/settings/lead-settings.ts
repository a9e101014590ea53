import * as z from 'zod';
import type { StoreSetting } from '../../lead/store/index.ts';
import { defaultLanguage, knownLanguage, languages } from '../../facts/load.ts';
import { rateLimitOrOff } from '../../values/rate-limit-policy.ts';
import { duration, durationOrNone, LONGEST_KEPT } from '../../values/time.ts';
import { mustBe, listOf } from '../../values/value.ts';
import { group } from './setting-values.ts';
import { defaultRateLimit } from '../../facts/facts.ts';

const leadStore = z.string().transform((value, context) => {
	const store = storeOf(value);
	if (store === undefined)
		context.addIssue(mustBe('sqlite: and a path, a postgres:// URL, or none', 'sqlite:var/leads.db').error);
	return store ?? z.NEVER;
});

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
const teamLanguage = z.string().transform((value, context) => {
	const language = knownLanguage(value);
	if (language === undefined) context.addIssue(mustBe(languages.join(' or '), defaultLanguage).error);
	return language ?? z.NEVER;
});

const usualLimit = `${defaultRateLimit.leads}/${defaultRateLimit.minutes}m`;

/** How leads are taken, kept and retried. */
export const leadSettings = group(
	{
		...storeVariable,
		LEAD_LANGUAGE: teamLanguage.prefault(defaultLanguage),
		LEAD_RETENTION: durationOrNone(LONGEST_KEPT, '30d').prefault('30d'),
		LEAD_RETRY: listOf(/\s+/, duration(LONGEST_KEPT, '5m')).prefault('5s 5m 30m 2h 5h 10h 14h 20h 24h'),
		LEAD_RATE_LIMIT: rateLimitOrOff(usualLimit).prefault(usualLimit),
	},
	() => [],
	({ LEAD_STORE, LEAD_LANGUAGE, LEAD_RETENTION, LEAD_RETRY, LEAD_RATE_LIMIT }) => ({
		/** Where leads are kept until they are delivered. */
		store: LEAD_STORE,
		/** The language of the sales team: one of the published languages. */
		language: LEAD_LANGUAGE,
		/** How long a delivered lead is kept, in seconds. */
		retention: LEAD_RETENTION,
		/** How long to wait after each failed try, in seconds. */
		schedule: LEAD_RETRY,
		/** Undefined: no limit. `window` is in seconds. */
		rateLimit: LEAD_RATE_LIMIT,
	}),
);
