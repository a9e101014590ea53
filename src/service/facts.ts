import { ContentError } from './content-error.ts';
import { keyFormOf } from './key-form.ts';
import { type Links, paths } from './links.ts';
import { told } from './mistake.ts';
import { instead } from './nearest.ts';
import { defaultRateLimit } from './rate-limit.ts';
import type { Service } from './schema.ts';

/**
 * The facts that prose may name: as `<Fact name="price.plans" />` in MDX, as `{{price.plans}}` in Markdown and YAML.
 * `link.*` is absolute, `path.*` starts with a slash, `list.*` is a list in Markdown.
 */
export function factsOf(service: Service, links: Links): Record<string, string> {
	const { payAsYouGo, plans } = service.prices;
	const { pattern, publicTestKey } = keyFormOf(service.identifier);
	return {
		name: service.name,
		company: service.company,
		origin: new URL(links.home).origin,
		identifier: service.identifier,
		tagline: service.tagline,
		description: service.description,
		'api.version': service.api.version,
		'price.payAsYouGo': price(payAsYouGo, service),
		'price.plans': price(plans, service),
		'amount.payAsYouGo': amount(payAsYouGo.from, service, 'symbol'),
		'amount.plans': amount(plans.from, service, 'symbol'),
		'privacyNotice.version': service.privacyNotice.version,
		'privacyNotice.date': inWords(service.privacyNotice.version),
		'privacyNotice.retentionDays': String(service.privacyNotice.retentionDays),
		'limit.leads': String(defaultRateLimit.leads),
		'limit.minutes': String(defaultRateLimit.minutes),
		'limit.seconds': String(defaultRateLimit.minutes * 60),
		'key.pattern': pattern,
		'key.test': publicTestKey,
		scopes: Object.keys(service.scopes).join(', '),
		'list.scopes': Object.entries(service.scopes)
			.map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
			.join('\n'),
		...Object.fromEntries([
			...Object.entries(optionalFacts).flatMap(([name, of]) => {
				const value = of(service);
				return value === undefined ? [] : [[name, value] as const];
			}),
			...prefixed('email', service.emails),
			...prefixed('scope', service.scopes),
			...prefixed('link', links),
			...prefixed('path', paths),
		]),
	};
}

/** Facts that need not be there. */
export const optionalFacts: Record<string, (service: Service) => string | undefined> = {
	legalName: ({ legalName }) => legalName,
	address: ({ address }) => address,
	register: ({ register }) => register,
	'phone.office': ({ phones }) => phones?.office,
	'phone.demo': ({ phones }) => phones?.demo,
	'recording.file': ({ recording }) => recording?.file,
	'oauth.tokenEndpoint': ({ oauth }) => (oauth.state === 'live' ? oauth.tokenEndpoint : undefined),
};

/** With the currency's code, which says more than a sign. */
const price = ({ from, per }: { from: number; per: string }, service: Service) => `${amount(from, service, 'code')} per ${per}`;

/** With a space that programs find. */
function amount(value: number, { prices: { currency } }: Service, currencyDisplay: 'code' | 'symbol'): string {
	const format = { style: 'currency', currency, currencyDisplay, trailingZeroDisplay: 'stripIfInteger' } as const;
	return new Intl.NumberFormat('en', format).format(value).replace('\u00a0', ' ');
}

const inWords = (date: string) => new Date(date).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

const prefixed = (prefix: string, values: Record<string, string>) =>
	Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value] as const);

/**
 * The text of one fact; of one that need not be there and is not, none: MDX renders what `<When>` does not show, too.
 *
 * @param file where it is named, for the message
 * @throws {ContentError} no fact has this name
 */
export function fact(facts: Record<string, string>, name: string, file: string): string {
	const value = facts[name];
	if (value !== undefined || name in optionalFacts) return value ?? '';
	throw new ContentError([told(file, { found: `the fact ${name}`, wanted: instead(name, Object.keys(facts)) })]);
}

/**
 * Puts the facts in the places of `{{name}}`.
 *
 * @throws {ContentError} as {@link fact}
 */
export function fillFacts(text: string, facts: Record<string, string>, file: string): string {
	return text.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, name: string) => fact(facts, name, file));
}
