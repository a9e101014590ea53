import { crc32 } from 'node:zlib';
import { countText, defaultLanguage, localeOf, textFor } from './language.ts';
import { linksFrom, pathsIn } from './links.ts';
import type { Service } from './schema.ts';
import type { SiteWords } from './words.ts';

type FactWords = Pick<SiteWords, 'tagline' | 'description' | 'perMinute' | 'perMonth' | 'withinWorkingDays' | 'consentRule'>;

/**
 * The facts that prose may name: as `<Fact name="price.plans" />` in MDX, as `{{price.plans}}` in its blocks of code and in YAML.
 * `link.*` is absolute, `path.*` starts with a slash, `list.*` is a list in Markdown. A fact that is not given is empty.
 * @param origin without a trailing slash
 */
export function factsOf(service: Service, origin: string, words: FactWords, language = defaultLanguage): Record<string, string> {
	const { currency, payAsYouGo, plans } = service.prices;
	const amount = (value: number) => amountIn(language, value, currency);
	const { prefix, pattern, publicTestKey } = keyFormOf(service.identifier);
	const meanings = Object.entries(service.scopes).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`);
	return {
		name: service.name,
		company: service.company,
		origin,
		identifier: service.identifier,
		'api.version': service.api.version,
		'price.payAsYouGo': `${amount(payAsYouGo.from)} ${words.perMinute}`,
		'price.plans': `${amount(plans.from)} ${words.perMonth}`,
		'amount.payAsYouGo': amount(payAsYouGo.from),
		'amount.plans': amount(plans.from),
		'privacyNotice.version': service.privacyNotice.version,
		'privacyNotice.date': dateIn(language, service.privacyNotice.version),
		'privacyNotice.retention': unitsIn(language, service.privacyNotice.retentionDays, 'day'),
		'limit.leads': String(defaultRateLimit.leads),
		'limit.minutes': String(defaultRateLimit.minutes),
		'limit.seconds': String(defaultRateLimit.minutes * 60),
		'limit.perDay': ((defaultRateLimit.leads * 24 * 60) / defaultRateLimit.minutes).toLocaleString(localeOf(language)),
		'wait.request': String(waits.request),
		'wait.answer': String(waits.answer),
		'retry.tries': String(waits.pauses.length + 1),
		'retry.pauses': new Intl.ListFormat('en-GB').format(waits.pauses.map(String)),
		'key.leads': String(keyDefaults.leads),
		'key.minutes': String(keyDefaults.minutes),
		'key.life': unitsIn(language, keyDefaults.years, 'year'),
		'key.pattern': pattern,
		'key.test': publicTestKey,
		'key.variable': `${prefix}key`.toUpperCase(),
		tagline: words.tagline,
		description: words.description,
		'consent.rule': words.consentRule,
		scopes: Object.keys(service.scopes).join(', '),
		'list.scopes': meanings.join('\n'),
		...optionalFactsOf(service, words, language),
		...withPrefix('email', service.emails),
		...withPrefix('scope', service.scopes),
		...withPrefix('link', linksFrom(origin, language)),
		...withPrefix('path', pathsIn(language)),
	};
}

/** The facts that a service can lack. */
export function optionalFactsOf(service: Service, words: FactWords, language = defaultLanguage) {
	const { answerWorkingDays, prices, trust } = service;
	const { currency, plans, setupFee, trialDays } = prices;
	const amount = (value: number) => amountIn(language, value, currency);
	const translated = ['location', 'retention', 'callers', 'weaknesses'] as const;
	return {
		legalName: service.legalName ?? '',
		address: service.address ?? '',
		register: service.register ?? '',
		'phone.office': service.phones?.office ?? '',
		'phone.demo': service.phones?.demo ?? '',
		'recording.file': service.recording?.file ?? '',
		bookingUrl: service.bookingUrl ?? '',
		'trust.processors': trust?.processors?.map(({ name }) => name).join(', ') ?? '',
		...Object.fromEntries(translated.map((part) => [`trust.${part}`, textFor(trust?.[part], language)])),
		'trust.standard': trust?.accessibility?.standard ?? '',
		'trust.date': trust?.accessibility ? dateIn(language, trust.accessibility.date) : '',
		'email.accessibility': trust?.accessibility?.contact ?? '',
		'email.officer': service.privacyNotice.officer ?? '',
		'link.agreement': trust?.agreement ?? '',
		'price.includedMinutes': plans.includedMinutes?.toLocaleString(localeOf(language)) ?? '',
		'price.overage': plans.overage ? `${amount(plans.overage)} ${words.perMinute}` : '',
		'price.setupFee': setupFee ? amount(setupFee) : '',
		'price.term': plans.termMonths ? unitsIn(language, plans.termMonths, 'month') : '',
		'answer.within': answerWorkingDays ? countText(words.withinWorkingDays, answerWorkingDays, language) : '',
		'price.trial': trialDays ? unitsIn(language, trialDays, 'day') : '',
	};
}

/** Facts that only the texts for programs may name. */
export const textFacts = ['operations', 'prices', 'list.fields', 'list.consent', 'consent.words', 'next'] as const;

/** The attributes of `<When>`, which ask that API keys are issued or not, and that an optional fact is given or absent. */
export type Condition = { keys?: Service['keys']; given?: string; absent?: string };

/** Returns whether `<When>` shows its content. */
export const isMet = ({ keys, given, absent }: Condition, service: Service, facts: Record<string, string>): boolean =>
	(keys ?? service.keys) === service.keys && !(given && !facts[given]) && !(absent && facts[absent]);

/** Returns an amount as pages in a language write it, with the code of its currency: `USD 0.38`, `0,38 USD`. @param currency ISO 4217 */
function amountIn(language: string, value: number, currency: string): string {
	const format = { style: 'currency', currency, currencyDisplay: 'code', trailingZeroDisplay: 'stripIfInteger' } as const;
	const text = new Intl.NumberFormat(localeOf(language), format).format(value);
	// Programs read the English text, and find an ordinary space.
	return language === defaultLanguage ? text.replace('\u00a0', ' ') : text;
}

const dateIn = (language: string, date: string) =>
	new Date(date).toLocaleDateString(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' });

const unitsIn = (language: string, count: number, unit: 'day' | 'month' | 'year') =>
	count.toLocaleString(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' });

const withPrefix = (prefix: string, values: Record<string, string>) =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));

/** The number of leads that each client may send in so many minutes, unless the operator sets another. */
export const defaultRateLimit = { leads: 20, minutes: 10 };

/**
 * In seconds: the server waits for a whole `request`, and a client should wait for the `answer` and make `pauses` between its tries.
 * With a slow database or mail server an answer takes about 20 seconds at most. The 408 comes a second after the time for the request.
 */
export const waits = { request: 30, answer: 35, pauses: [1, 2, 4, 8] };

/** The limit and the life of an API key, unless the operator chooses others. */
export const keyDefaults = { leads: 200, minutes: 10, years: 1 };

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The length of a key's random part. 30 digits of base62 are 178 bits, too many to guess, so no slow hash is needed. */
export const RANDOM = 30;
const CHECKSUM = 6;

/** Returns the published form of a service's API keys. */
export function keyFormOf(identifier: string) {
	// A hyphen would end a word, and a double click should select the whole key.
	const prefix = `${identifier.replaceAll('-', '_')}_`;
	return {
		prefix,
		/** The source of a regular expression by which secret scanners find a key. */
		pattern: `${prefix}(?:test_)?[0-9A-Za-z]{${RANDOM + CHECKSUM}}`,
		/** The published key for trials: every client may send it, and the service delivers nothing that comes with it. */
		publicTestKey: withChecksum(`${prefix}test_${'0'.repeat(RANDOM)}`),
	};
}

/** Completes a key with its checksum. */
export function withChecksum(text: string): string {
	const sum = crc32(text);
	const digitAt = (place: number) => BASE62[Math.floor(sum / BASE62.length ** place) % BASE62.length];
	return text + Array.from({ length: CHECKSUM }, (_, index) => digitAt(CHECKSUM - 1 - index)).join('');
}

/** Returns whether the checksum is right: if not, the key was mistyped or cut. */
export const isWhole = (key: string): boolean => withChecksum(key.slice(0, -CHECKSUM)) === key;
