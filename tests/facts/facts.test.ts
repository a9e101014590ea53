import { expect, test } from 'vitest';
import { factsOf } from '../../src/facts/facts.ts';
import { fillFacts } from '../../src/facts/fill.ts';
import { facts, service, wordsIn } from '../../src/facts/load.ts';

test('prose takes facts by name, and one that does not exist is named with its file', () => {
	expect(fillFacts('From {{price.payAsYouGo}}, see {{ link.contact }}.', facts, 'content/x.md')).toBe(
		`From ${facts['price.payAsYouGo']}, see https://www.website.test/contact.`,
	);
	expect(() => fillFacts('{{price.yearly}}', facts, 'content/x.md')).toThrow(/^content\/x\.md: .*price\.yearly/);
});

const withinWorkingDays = { one: 'in one', other: 'in {count}' };
const words = { ...wordsIn('en'), perMinute: 'pro Minute', perMonth: 'pro Monat', withinWorkingDays };
const prices = { currency: 'USD', payAsYouGo: { from: 0.38 }, plans: { from: 1299 } };
const factsIn = (language: string, retentionDays = 30) => {
	const privacyNotice = { version: '2026-11-21', retentionDays };
	return factsOf({ ...service, prices, privacyNotice, answerWorkingDays: 1 }, 'https://a.test', words, language);
};

test.each([
	['en', 'USD 0.38', 'USD 1,299', 'November 21, 2026', '30 days'],
	['de', '0,38\u00a0USD', '1.299\u00a0USD', '21. November 2026', '30 Tage'],
	// Digits are Latin in every region.
	['ar-EG', '\u200f0.38\u00a0USD', '\u200f1,299\u00a0USD', '21 نوفمبر 2026', '30 يومًا'],
])('readers of %s have prices, dates and times in their way', (language, amount, plan, date, retention) => {
	expect(factsIn(language)).toMatchObject({
		'price.payAsYouGo': `${amount} pro Minute`,
		'amount.payAsYouGo': amount,
		'price.plans': `${plan} pro Monat`,
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
