import { expect, test } from 'vitest';
import { fingerprintOf, traitsToLearn, traitsToRecall } from '../../src/outbox/traits.ts';
import { judgeInOrder, judgeResembling, readSamples, secret } from '../support/spam-samples.ts';

test('no legitimate lead that looks like spam is held or marked', () => {
	expect(judgeInOrder(readSamples('twins'))).toMatchObject({ held: [], marked: [] });
});

test('at least 20 % of the spam, which no operator has marked, is marked or held', () => {
	const { samples, marked, held } = judgeInOrder(readSamples('spam'));
	expect((marked.length + held.length) / samples).toBeGreaterThanOrEqual(0.2);
});

test('spam that the operator marked is known again in disguise, and no legitimate lead is taken for it', () => {
	const spam = readSamples('spam');
	const { like, silent, mistaken } = judgeResembling(spam, readSamples('twins'));
	expect([like, silent < 25, mistaken]).toEqual([spam.length - silent, true, []]);
});

test('a message is compared from sixty letters on', () => {
	expect([59, 60].map((letters) => fingerprintOf(secret, { message: 'a'.repeat(letters) }) !== undefined)).toEqual([false, true]);
});

const common = 'Your site ours.example/prices is not on Google.com. See https://www.google.com/maps/place/Rank+One';
const pitch = { email: 'jo@pitch.example', message: 'We made https://praxis-harms.example: 300 visitors a day' };
const message = 'We are at https://praxis-harms.example/kontakt';
test.each([
	['our own site, a search engine, a map', false, { email: 'jo@yahoo.com.br', message: common }, { message: common }],
	['its mail provider', false, { email: 'jo.doe@yahoo.com.br' }, { email: 'al@yahoo.com.br' }],
	['its mailbox', true, { email: 'jo.doe@yahoo.com.br' }, { email: 'jodoe+new@yahoo.com.br' }],
	['a link', true, pitch, { email: 'jo@other.example', message }],
	['its sender', true, pitch, { email: 'bo@pitch.example', message: 'Hello' }],
	['a link to the sender’s own site', false, pitch, { email: 'ana@praxis-harms.example', message }],
	['a link to a site above the sender’s domain', false, pitch, { email: 'ana@mail.praxis-harms.example', message }],
	[
		'a link to a site that is spelt like the clinic',
		false,
		pitch,
		{ email: 'harms@gmx.de', clinic: 'Praxis Dr. Harms', message },
	],
])('A lead that has %s in common with spam is like it: %s', (_, expected, spam, lead) => {
	const ours = ['ours.example'];
	const known = traitsToLearn(secret, spam, ours);
	expect(traitsToRecall(secret, lead, ours).some((trait) => known.includes(trait))).toBe(expected);
});
