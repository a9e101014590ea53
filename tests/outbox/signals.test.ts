import { expect, test } from 'vitest';
import { languages, wordsIn } from '../../src/facts/load.ts';
import { reasonsIn } from '../../src/channels/message.ts';
import type { Context, Fields, Judgement, SignalName } from '../../src/lead/judgement.ts';
import { judge, type Signal, signals } from '../../src/outbox/signals.ts';

const cases: Record<SignalName, [lead: Fields, result: ReturnType<Signal>, context?: Context][]> = {
	honeypot: [
		[{ website: 'https://buy.example' }, 'certain'],
		[{ website: '' }, false],
	],
	trained: [
		[{}, 'certain', { trained: 'spam' }],
		[{}, false, { trained: 'clear' }],
		[{}, undefined],
	],
	engine: [
		[{}, 'strong', { engines: ['no action', 'reject'] }],
		[{}, 'weak', { engines: ['add header'] }],
		[{}, 'weak', { engines: ['rewrite subject'] }],
		[{}, false, { engines: ['no action', 'spam'] }],
		[{}, undefined],
	],
	'model-pitch': [
		[{}, 'weak', { engines: ['no action', 'pitch'] }],
		[{}, false, { engines: ['spam'] }],
		[{}, undefined],
	],
	'model-spam': [
		[{}, 'weak', { engines: ['spam'] }],
		[{}, false, { engines: ['enquiry', 'unclear', 'pitch'] }],
		[{}, undefined],
	],
	'name-address': [
		[{ name: 'You have won 1.3 BTC https://win.example/claim', clinic: 'x' }, 'strong'],
		[{ name: '<a href="https://win.example">Win</a>', clinic: 'x' }, 'strong'],
		[{ name: 'Ana', clinic: '[url=https://win.example]Win[/url]' }, 'strong'],
		[{ name: 'Collect here: bit.ly/3xYzAb', clinic: 'Clinic' }, 'strong'],
		[{ name: 'Casino bonus https://casino.example', clinic: 'https://casino.example', email: 'a@gmail.com' }, 'strong'],
		[{ name: 'https://win.example/claim', clinic: 'x', email: 'a@win.example' }, 'strong'],
		[{ name: 'Praxisteam <Nord>', clinic: 'Espace [B] <B>' }, false],
		[{ name: 'Dr. Wiebke Harms', clinic: 'https://www.praxis-harms.de/de/', email: 'a@gmail.com' }, false],
		[{ name: 'Dr. Wiebke Harms', clinic: 'https://www.praxis-harms.de/de/x', email: 'a@gmail.com' }, 'strong'],
		[{ name: 'Abc Dental', clinic: 'https://abc.example' }, false],
		[{ name: 'Ab Dental', clinic: 'https://ab.example' }, 'strong'],
		[{ name: 'Mara Roth', clinic: 'https://mara-dental.example' }, false],
		[{ name: 'Ana Roth', clinic: 'https://ana-dental.example' }, 'strong'],
		[{ name: 'Dr. Schmidt (www.zahnarzt-schmidt.de)', clinic: 'x', email: 'info@mail.zahnarzt-schmidt.de' }, false],
	],
	repeated: [
		[{ email: 'a@gmail.com', clinic: 'One' }, 'strong', { alike: [{ email: 'b@two.example', clinic: 'Seo' }] }],
		[{ email: 'a@one.example', clinic: 'Practice One' }, false, { alike: [{ email: 'b@gmail.com', clinic: 'Two' }] }],
		[{ email: 'a@gmail.com', clinic: 'One' }, false, { alike: [{ email: 'b@two.example', clinic: 'Two' }] }],
		[{ email: 'a@x.example', clinic: 'One' }, false, { alike: [{ email: 'b@x.example', clinic: 'One, branch' }] }],
		[{ email: 'a@gmail.com', clinic: 'One' }, false, { alike: [{ email: 'b@gmail.com', clinic: 'ONE' }] }],
		[{ email: 'a@abx.example', clinic: 'Ab Practice' }, 'strong', { alike: [{ email: 'b@gmail.com' }] }],
		[{ email: 'a@abx.example', clinic: 'عيادة' }, false, { alike: [{ email: 'b@gmail.com' }] }],
		[{ email: 'a@one.example', clinic: 'One' }, false, { alike: [] }],
		[{ email: 'a@one.example', clinic: 'One' }, undefined],
	],
	'random-letters': [
		[{ name: 'XkQzBvTr', clinic: 'hGtRnmwq', message: 'Hello' }, 'strong'],
		[{ name: 'XkQzBvTr', clinic: 'hGtrnmwq' }, false],
		[{ name: 'XkQzBvtr', clinic: 'hGtRnmwq' }, false],
		[{ name: 'XkQzBvTr hGtRnMwQ', clinic: 'Dental Care' }, false],
		[{ name: 'XkQzBvT', clinic: 'hGtRnMw' }, undefined],
		[{ clinic: 'OrthoKidsCarePro', message: 'OrthoKidsCarePro needs help.' }, false],
		[{ name: 'Ana', clinic: 'Sol', message: 'See https://sol.example/aBcDeFgHiJkL' }, undefined],
	],
	links: [
		[{ message: '<a href="https://a.example/1">a</a> <a href="https://b.example/2">b</a>' }, 'weak'],
		[{ message: '[url=https://a.example/]a[/url]' }, 'weak'],
		[{ message: '[url]https://a.example/[/url]' }, 'weak'],
		[{ message: '[link=https://a.example/]a[/link]' }, 'weak'],
		[{ message: 'https://bit.ly/a1 or https://t.me/b2' }, 'weak'],
		[{ message: 'https://bit.ly/a1 or https://bit.ly/b2' }, false],
		[{ email: 'jo@a.example', message: '<a href="https://b.a.example/1">a</a> <a href="https://c.example/2">c</a>' }, false],
		[{ message: 'Tender: https://tender.example/1.pdf and https://tender.example/2.pdf' }, false],
		[{ message: 'Call us.' }, undefined],
	],
	'other-form': [
		[{}, 'weak', { form: 'other' }],
		[{}, undefined],
	],
	disposable: [
		[{ email: 'ana@mailinator.com' }, 'weak'],
		[{ email: 'ana@mail.mailinator.com' }, 'weak'],
		[{ email: 'abxbo@mailinator.com', name: 'A. Bo' }, 'weak'],
		[{ email: 'boxer@mailinator.com', name: 'A. Bo' }, false],
		[{ email: 'x.ana@mailinator.com', name: 'Ana' }, false],
		[{ email: 'jlf9@mailinator.com', name: 'Jean-Luc Fabre' }, false],
		[{ email: 'ana@posteo.de' }, false],
		[{ email: 'clinic@punkass.com' }, false],
		[{ email: 'clinic@gmial.com' }, false],
		[{}, undefined],
	],
};

const names = Object.keys(cases) as SignalName[];

test.each(names.flatMap((name) => cases[name].map((each, at) => ({ signal: `${name}, case ${at + 1}`, each, name }))))(
	'A signal finds in a lead what its case says: $signal',
	({ name, each: [lead, result, context = {}] }) => expect(signals[name](lead, context)).toBe(result),
);

test.each(names)('The signal %s has a case that it finds, and one that it does not', (name) => {
	const results = cases[name].map(([, result]) => Boolean(result));
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
