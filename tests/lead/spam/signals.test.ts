import { expect, test } from 'vitest';
import { languages } from '../../../src/facts/load.ts';
import { reasonsIn } from '../../../src/lead/spam/judgement.ts';
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
