import { expect, test } from 'vitest';
import { factsOf } from '../../src/facts/facts.ts';
import { fillFacts } from '../../src/facts/fill.ts';
import { facts, service } from '../../src/facts/load.ts';

test('prose takes facts by name', () => {
	expect(fillFacts('From {{price.payAsYouGo}}, see {{ link.contact }}.', facts, 'content/x.md')).toBe(
		`From ${facts['price.payAsYouGo']}, see https://www.website.test/contact.`,
	);
});

const withinWorkingDays = { one: 'in one', other: 'in {count}' };
const words = {
	tagline: 'x',
	description: 'x',
	perMinute: 'pro Minute',
	perMonth: 'pro Monat',
	withinWorkingDays,
	consentRule: 'x',
};
const prices = { currency: 'USD', payAsYouGo: { from: 0.38 }, plans: { from: 1299 } };
const factsIn = (language: string, retentionDays = 30) => {
	const privacyNotice = { version: '2026-11-21', retentionDays };
	return factsOf({ ...service, prices, privacyNotice, answerWorkingDays: 1 }, 'https://a.test', words, language);
};

test.each([
	['en', 'USD 0.38 pro Minute', 'USD 0.38', 'USD 1,299 pro Monat', 'November 21, 2026', '30 days'],
	['de', '0,38\u00a0USD pro Minute', '0,38\u00a0USD', '1.299\u00a0USD pro Monat', '21. November 2026', '30 Tage'],
	// Digits are Latin in every region.
	[
		'ar-EG',
		'\u200f0.38\u00a0USD pro Minute',
		'\u200f0.38\u00a0USD',
		'\u200f1,299\u00a0USD pro Monat',
		'21 نوفمبر 2026',
		'30 يومًا',
	],
])('readers of %s have prices, dates and times in their way', (language, price, amount, plan, date, retention) => {
	expect(factsIn(language)).toMatchObject({
		'price.payAsYouGo': price,
		'amount.payAsYouGo': amount,
		'price.plans': plan,
		'privacyNotice.date': date,
		'privacyNotice.retention': retention,
	});
});

test('one day is told as one, and links lead to the pages of a language where it has them', () => {
	expect(factsIn('en', 1)['privacyNotice.retention']).toMatch(/^1\sday$/);
	expect(factsIn('en')['answer.within']).toBe('in one');
	expect(factsIn('de')).toMatchObject({
		'path.home': '/de',
		'path.accessRequest': '/de/contact/api-access',
		'path.docs': '/docs',
		'link.privacy': 'https://a.test/de/privacy',
		'link.openapi': 'https://a.test/openapi.json',
	});
});

test('a fact that does not exist is named with its file', () => {
	expect(() => fillFacts('{{price.yearly}}', facts, 'content/x.md')).toThrow(/^content\/x\.md: .*price\.yearly/);
});
