import { describe, expect, test } from 'vitest';
import { factsOf } from '../../src/facts/facts.ts';
import { fillFacts } from '../../src/facts/fill.ts';
import { facts, service } from '../../src/facts/load.ts';

test('prose takes facts by name', () => {
	expect(fillFacts('From {{price.payAsYouGo}}, see {{ link.contact }}.', facts, 'content/x.md')).toBe(
		`From ${facts['price.payAsYouGo']}, see https://www.website.test/contact.`,
	);
});

describe('facts for readers of a language', () => {
	const words = {
		tagline: 'x',
		description: 'x',
		perMinute: 'pro Minute',
		perMonth: 'pro Monat',
		consentRule: 'x',
	};
	const prices = { currency: 'USD', payAsYouGo: { from: 0.38 }, plans: { from: 1299 } };
	const factsIn = (language: string, retentionDays = 30) => {
		const privacyNotice = { version: '2026-11-21', retentionDays };
		return factsOf({ ...service, prices, privacyNotice }, 'https://a.test', words, language);
	};

	test.each([
		['en', 'USD 0.38 pro Minute', 'USD 0.38', 'USD 1,299 pro Monat', 'November 21, 2026'],
		['de', '0,38\u00a0$ pro Minute', '0,38\u00a0$', '1.299\u00a0$ pro Monat', '21. November 2026'],
		// Marks keep the dollar sign in its place among letters that run from right to left, and digits are Latin in every region.
		[
			'ar-EG',
			'\u200f0.38\u00a0US$\u200e pro Minute',
			'\u200f0.38\u00a0US$\u200e',
			'\u200f1,299\u00a0US$\u200e pro Monat',
			'21 نوفمبر 2026',
		],
	])('in %s have their prices and dates', (language, price, amount, plan, date) => {
		const prices = { 'price.payAsYouGo': price, 'amount.payAsYouGo': amount, 'price.plans': plan };
		expect(factsIn(language)).toMatchObject({ ...prices, 'privacyNotice.date': date });
	});

	test.each([
		['en', 1, '1 day'],
		['ar', 7, '7 أيام'],
		['ar', 30, '30 يومًا'],
	])('in %s say %d days as its readers do', (language, days, said) => {
		expect(factsIn(language, days)['privacyNotice.retention']!.replace('\u00a0', ' ')).toBe(said);
	});

	test('lead to the pages of that language where it has them', () => {
		expect(factsIn('de')).toMatchObject({
			'path.home': '/de',
			'path.accessRequest': '/de/contact/api-access',
			'path.docs': '/docs',
			'link.privacy': 'https://a.test/de/privacy',
			'link.openapi': 'https://a.test/openapi.json',
		});
	});
});

test('a fact that does not exist is named with its file and those that may be meant', () => {
	expect(() => fillFacts('{{price.yearly}}', facts, 'content/x.md')).toThrow(
		'content/x.md: found the fact price.yearly, wanted one of price.payAsYouGo, price.plans.',
	);
});
