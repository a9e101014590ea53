import { expect, test } from 'vitest';
import { ownHosts } from '../../src/facts/load.ts';
import type { Lead } from '../../src/lead/lead.ts';
import { fingerprintOf, traitsToLearn, traitsToRecall } from '../../src/outbox/traits.ts';
import { caught, leadsOf, secret } from '../support/spam-sets.ts';

/** Legitimate leads that look like what a signal looks for, each kind in Latin and in Arabic letters, and messages of the shapes that people report. */
const [twins, spam] = [leadsOf('twins'), leadsOf('spam')];

test('no legitimate lead that looks like spam is held or marked', () => {
	expect(caught(twins)).toEqual([]);
});

test('at least 20 % of the spam, which no operator has marked, is marked or held', () => {
	expect(caught(spam).length / spam.length).toBeGreaterThanOrEqual(0.2);
});

/** Returns the same spam as a robot varies it: another sender, link, greeting and digits. */
function disguised({ message = '', ...lead }: Lead): Lead {
	const [greeting, varied] = [/^[^\n,.!:;]{0,40}[\n,!:;]/, /https?:\/\/\S*|\d/g];
	const other = message.replace(greeting, '').replace(varied, ({ length }) => (length > 1 ? 'https://another.example/' : '7'));
	return { ...lead, name: `Sam ${lead.name}`, email: 'sam@another-sender.example', message: `Hello again,\n${other}` };
}

test('spam that the operator marked is known again in disguise if it is long, and no legitimate lead is taken for it', () => {
	const known = new Set(spam.flatMap((lead) => traitsToLearn(secret, lead)));
	const isKnown = (lead: Lead) => traitsToRecall(secret, lead).some((trait) => known.has(trait));
	const long = spam.filter((lead) => fingerprintOf(secret, lead) !== undefined);
	expect(long.length).toBeGreaterThan(spam.length - 25);
	expect(long.filter((lead) => !isKnown(disguised(lead)))).toEqual([]);
	expect(twins.filter(isKnown)).toEqual([]);
});

test('a message is compared from sixty letters on', () => {
	expect([59, 60].map((letters) => fingerprintOf(secret, { message: 'a'.repeat(letters) }) !== undefined)).toEqual([false, true]);
});

const common = `Your site ${ownHosts.at(-1)}/prices is not on Google.com. See https://www.google.com/maps/place/Rank+One`;
const pitch = { email: 'jo@pitch.example', message: 'We made https://praxis-harms.example: 300 visitors a day' };
const message = 'We are at https://praxis-harms.example/kontakt';
test.each([
	['our own site, a search engine, a map', false, { email: 'jo@yahoo.com.br', message: common }, { message: common }],
	['its mail provider', false, { email: 'jo.doe@yahoo.com.br' }, { email: 'al@yahoo.com.br' }],
	['its service of disposable addresses', false, { email: 'jo.doe@mailinator.com' }, { email: 'al@mailinator.com' }],
	['a name below its service', false, { email: 'jo.doe@mail.mailinator.com' }, { email: 'al@mail.mailinator.com' }],
	['its forwarder', false, { email: 'jo.doe@opayq.com' }, { email: 'al@opayq.com' }],
	['its disposable mailbox', true, { email: 'jo.doe@mailinator.com' }, { email: 'jodoe+new@mailinator.com' }],
	['its mailbox', true, { email: 'jo.doe@yahoo.com.br' }, { email: 'jodoe+new@yahoo.com.br' }],
	['a link', true, pitch, { email: 'jo@other.example', message }],
	['a link to its sender', true, pitch, { email: 'jo@other.example', message: 'We are https://pitch.example/' }],
	['its sender', true, pitch, { email: 'bo@pitch.example', message: 'Hello' }],
	['a link to the sender’s own site', false, pitch, { email: 'ana@praxis-harms.example', message }],
	['a link to a site above the sender’s domain', false, pitch, { email: 'ana@mail.praxis-harms.example', message }],
	['a link to a site spelt like the clinic', false, pitch, { email: 'harms@gmx.de', clinic: 'Praxis Dr. Harms', message }],
])('A lead that has %s in common with spam is like it: %s', (_, expected, spam, lead) => {
	const known = traitsToLearn(secret, spam);
	expect(traitsToRecall(secret, lead).some((trait) => known.includes(trait))).toBe(expected);
});
