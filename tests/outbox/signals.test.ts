import { expect, test } from 'vitest';
import { languages, wordsIn } from '../../src/facts/load.ts';
import { reasonsIn } from '../../src/channels/message.ts';
import type { Context, Fields, Judgement, SignalName } from '../../src/lead/judgement.ts';
import { judge, type Signal, signals } from '../../src/outbox/signals.ts';

const cases: [name: SignalName, lead: Fields, result: ReturnType<Signal>, context?: Context][] = [
	['honeypot', { website: 'https://buy.example' }, 'certain'],
	['honeypot', { website: '' }, false],
	['trained', {}, 'certain', { trained: 'spam' }],
	['trained', {}, false, { trained: 'clear' }],
	['trained', {}, undefined],
	['engine', {}, 'strong', { engines: ['no action', 'reject'] }],
	['engine', {}, 'weak', { engines: ['add header'] }],
	['engine', {}, 'weak', { engines: ['rewrite subject'] }],
	['engine', {}, false, { engines: ['no action', 'spam'] }],
	['engine', {}, undefined],
	['model-pitch', {}, 'weak', { engines: ['no action', 'pitch'] }],
	['model-pitch', {}, false, { engines: ['spam'] }],
	['model-pitch', {}, undefined],
	['model-spam', {}, 'weak', { engines: ['spam'] }],
	['model-spam', {}, false, { engines: ['enquiry', 'unclear', 'pitch'] }],
	['model-spam', {}, undefined],
	['name-address', { name: 'You have won 1.3 BTC https://win.example/claim', clinic: 'x' }, 'strong'],
	['name-address', { name: '<a href="https://win.example">Win</a>', clinic: 'x' }, 'strong'],
	['name-address', { name: 'Ana', clinic: '[url=https://win.example]Win[/url]' }, 'strong'],
	['name-address', { name: 'Collect here: bit.ly/3xYzAb', clinic: 'Clinic' }, 'strong'],
	[
		'name-address',
		{ name: 'Casino bonus https://casino.example', clinic: 'https://casino.example', email: 'a@gmail.com' },
		'strong',
	],
	['name-address', { name: 'https://win.example/claim', clinic: 'x', email: 'a@win.example' }, 'strong'],
	['name-address', { name: 'Praxisteam <Nord>', clinic: 'Espace [B] <B>' }, false],
	['name-address', { name: 'Dr. Wiebke Harms', clinic: 'https://www.praxis-harms.de/de/', email: 'a@gmail.com' }, false],
	['name-address', { name: 'Dr. Wiebke Harms', clinic: 'https://www.praxis-harms.de/de/x', email: 'a@gmail.com' }, 'strong'],
	['name-address', { name: 'Abc Dental', clinic: 'https://abc.example' }, false],
	['name-address', { name: 'Ab Dental', clinic: 'https://ab.example' }, 'strong'],
	['name-address', { name: 'Mara Roth', clinic: 'https://mara-dental.example' }, false],
	['name-address', { name: 'Ana Roth', clinic: 'https://ana-dental.example' }, 'strong'],
	['name-address', { name: 'Dr. Schmidt (www.zahnarzt-schmidt.de)', clinic: 'x', email: 'info@mail.zahnarzt-schmidt.de' }, false],
	['repeated', { email: 'a@gmail.com', clinic: 'One' }, 'strong', { alike: [{ email: 'b@two.example', clinic: 'Seo' }] }],
	['repeated', { email: 'a@one.example', clinic: 'Practice One' }, false, { alike: [{ email: 'b@gmail.com', clinic: 'Two' }] }],
	['repeated', { email: 'a@gmail.com', clinic: 'One' }, false, { alike: [{ email: 'b@two.example', clinic: 'Two' }] }],
	['repeated', { email: 'a@x.example', clinic: 'One' }, false, { alike: [{ email: 'b@x.example', clinic: 'One, branch' }] }],
	['repeated', { email: 'a@gmail.com', clinic: 'One' }, false, { alike: [{ email: 'b@gmail.com', clinic: 'ONE' }] }],
	['repeated', { email: 'a@abx.example', clinic: 'Ab Practice' }, 'strong', { alike: [{ email: 'b@gmail.com' }] }],
	['repeated', { email: 'a@abx.example', clinic: 'عيادة' }, false, { alike: [{ email: 'b@gmail.com' }] }],
	['repeated', { email: 'a@one.example', clinic: 'One' }, false, { alike: [] }],
	['repeated', { email: 'a@one.example', clinic: 'One' }, undefined],
	['random-letters', { name: 'XkQzBvTr', clinic: 'hGtRnmwq', message: 'Hello' }, 'strong'],
	['random-letters', { name: 'XkQzBvTr', clinic: 'hGtrnmwq' }, false],
	['random-letters', { name: 'XkQzBvtr', clinic: 'hGtRnmwq' }, false],
	['random-letters', { name: 'XkQzBvTr hGtRnMwQ', clinic: 'Dental Care' }, false],
	['random-letters', { name: 'XkQzBvT', clinic: 'hGtRnMw' }, undefined],
	['random-letters', { clinic: 'OrthoKidsCarePro', message: 'OrthoKidsCarePro needs help.' }, false],
	['random-letters', { name: 'Ana', clinic: 'Sol', message: 'See https://sol.example/aBcDeFgHiJkL' }, undefined],
	['links', { message: '<a href="https://a.example/1">a</a> <a href="https://b.example/2">b</a>' }, 'weak'],
	['links', { message: '[url=https://a.example/]a[/url]' }, 'weak'],
	['links', { message: '[url]https://a.example/[/url]' }, 'weak'],
	['links', { message: '[link=https://a.example/]a[/link]' }, 'weak'],
	['links', { message: 'https://bit.ly/a1 or https://t.me/b2' }, 'weak'],
	['links', { message: 'https://bit.ly/a1 or https://bit.ly/b2' }, false],
	[
		'links',
		{ email: 'jo@a.example', message: '<a href="https://b.a.example/1">a</a> <a href="https://c.example/2">c</a>' },
		false,
	],
	['links', { message: 'Tender: https://tender.example/1.pdf and https://tender.example/2.pdf' }, false],
	['links', { message: 'Call us.' }, undefined],
	['other-form', {}, 'weak', { form: 'other' }],
	['other-form', {}, undefined],
	['disposable', { email: 'ana@mailinator.com' }, 'weak'],
	['disposable', { email: 'ana@mail.mailinator.com' }, 'weak'],
	['disposable', { email: 'abxbo@mailinator.com', name: 'A. Bo' }, 'weak'],
	['disposable', { email: 'boxer@mailinator.com', name: 'A. Bo' }, false],
	['disposable', { email: 'x.ana@mailinator.com', name: 'Ana' }, false],
	['disposable', { email: 'jlf9@mailinator.com', name: 'Jean-Luc Fabre' }, false],
	['disposable', { email: 'ana@posteo.de' }, false],
	['disposable', { email: 'clinic@punkass.com' }, false],
	['disposable', { email: 'clinic@gmial.com' }, false],
	['disposable', {}, undefined],
];

test.each(cases)('The signal %s finds in a lead what its case says: %j, %s', (name, lead, result, context = {}) => {
	expect(signals[name](lead, context)).toBe(result);
});

test.each(Object.keys(signals))('The signal %s has a case that it finds, and one that it does not', (name) => {
	const results = cases.filter(([of]) => of === name).map(([, , result]) => Boolean(result));
	expect(results).toContain(true);
	expect(results).toContain(false);
});

const address = { name: 'https://win.example' };
const weakest = { email: 'x@mailinator.com', message: '[url=https://a.example/]a[/url]' };
test.each<[string, Fields, Context, boolean, Judgement['verdict']]>([
	['no signal', {}, {}, true, 'clear'],
	['two weak ones', { email: 'ana@mailinator.com' }, { engines: ['add header'] }, true, 'marked'],
	['a strong one and a weak one', address, { engines: ['add header'] }, true, 'marked'],
	['a strong one, and all that models say', address, { engines: ['pitch', 'spam', 'spam'] }, true, 'marked'],
	['every weak one, and what a model says', weakest, { engines: ['add header', 'spam'], form: 'other' }, true, 'marked'],
	['what a model says alone', {}, { engines: ['spam'] }, true, 'marked'],
	['what a model says of one like it that was cleared', {}, { engines: ['pitch'], trained: 'clear' }, true, 'marked'],
	['two strong ones', address, { engines: ['reject'] }, true, 'held'],
	['the same where nothing may be held', address, { engines: ['reject'] }, false, 'marked'],
	['the same where the operator has cleared one like it', address, { engines: ['reject'], trained: 'clear' }, true, 'marked'],
	['a certain one', {}, { trained: 'spam' }, true, 'held'],
])('The verdict on a lead with %s', (_, lead, context, mayHold, verdict) => {
	expect(judge(lead, context, mayHold).verdict).toBe(verdict);
});

test.each(languages)('Reasons are in the language of the reader: %s', (language) => {
	const judgement: Judgement = { verdict: 'marked', signals: ['links', 'of another version', 'engine'] };
	const { spamReasons } = wordsIn(language);
	expect(reasonsIn(language, judgement)).toEqual([spamReasons.links, spamReasons.engine]);
	if (language !== 'en') expect(reasonsIn('en', judgement)).not.toEqual(reasonsIn(language, judgement));
});
