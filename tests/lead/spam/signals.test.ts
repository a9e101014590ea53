import { expect, test } from 'vitest';
import { languages } from '../../../src/facts/load.ts';
import { type Judgement, judge, reasonsIn } from '../../../src/lead/spam/judgement.ts';
import { evidenceOf } from '../../../src/lead/spam/signal.ts';
import * as signals from '../../../src/lead/spam/signals.ts';

const all = Object.values(signals);

test.each(all.flatMap(({ name, cases }) => cases.map((each, at) => ({ signal: `${name}, case ${at + 1}`, each, name }))))(
	'A signal finds in a lead what its case says: $signal',
	({ name, each: [lead, result, context] }) => {
		const { look } = all.find((signal) => signal.name === name)!;
		expect(look(evidenceOf(lead, context))).toBe(result);
	},
);

const address = { name: 'https://win.example' };
test.each<[string, Parameters<typeof evidenceOf>, boolean, Judgement['verdict']]>([
	['no signal', [{}], true, 'clear'],
	['two weak ones', [{ email: 'ana@mailinator.com' }, { engine: 'add header' }], true, 'marked'],
	['a strong one and a weak one', [address, { engine: 'add header' }], true, 'marked'],
	['two strong ones', [address, { engine: 'reject' }], true, 'held'],
	['the same where nothing may be held', [address, { engine: 'reject' }], false, 'marked'],
	['the same where the operator has cleared one like it', [address, { engine: 'reject', trained: 'clear' }], true, 'marked'],
	['a certain one', [{}, { trained: 'spam' }], true, 'held'],
])('The verdict on a lead with %s', (_, evidence, mayHold, verdict) => {
	expect(judge(evidenceOf(...evidence), mayHold).verdict).toBe(verdict);
});

test.each(all)('The signal $name has a case that it finds, and one that it does not', ({ cases }) => {
	const results = cases.map(([, result]) => Boolean(result));
	expect(results).toContain(true);
	expect(results).toContain(false);
});

test.each(languages)('Each signal has a reason of its own in each language: %s', (language) => {
	const reasons = reasonsIn(language, { verdict: 'marked', signals: all.map(({ name }) => name) });
	expect(new Set(reasons).size).toBe(all.length);
	const english = reasonsIn('en', { verdict: 'marked', signals: all.map(({ name }) => name) });
	expect(reasons.filter((reason) => english.includes(reason))).toHaveLength(language === 'en' ? all.length : 0);
});
