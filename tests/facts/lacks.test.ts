import { expect, test } from 'vitest';
import { lacksOf } from '../../src/facts/lacks.ts';
import { service } from '../../src/facts/load.ts';

const given = {
	legalName: 'Front Desk GmbH',
	address: 'Berlin',
	register: 'HRB 00000',
	phones: { office: '+49 30 23125 000' },
	recording: { file: '/call.mp3', transcript: 'Good afternoon.' },
	demo: { en: 'A call.', de: 'Ein Anruf.' },
	trust: {
		processors: [{ name: 'A', purpose: { en: 'mail', de: 'Mail' }, region: { en: 'Ireland' }, url: 'https://a.example' }],
	},
};
const none = Object.fromEntries(Object.keys(given).map((name) => [name, undefined]));

test('each fact that visitors or a law expect is told once where it is not given, and in which languages it has no words', () => {
	const lacks = lacksOf({ ...service, ...none }, ['en', 'de-AT']);
	const names = ['legalName', 'address', 'register', 'phones', 'recording', 'demo', 'trust.processors'];
	expect(lacks.map((line) => /^content\/service\.yaml has no (\S+): /.exec(line)?.[1])).toEqual(names);
	const ofLaw = (lines: string[]) => lines.filter((line) => line.includes('DDG')).length;
	expect([ofLaw(lacks), ofLaw(lacksOf({ ...service, ...none }, ['en', 'ar']))]).toEqual([3, 0]);
	expect(lacksOf({ ...service, ...given }, ['en'])).toEqual([]);
	expect(lacksOf({ ...given, ...service, ...given }, ['en', 'de', 'fr'])).toEqual([
		expect.stringContaining('has no demo in fr: '),
		expect.stringContaining('has no purpose in fr: '),
		expect.stringContaining('has no region in de, fr: '),
	]);
});
