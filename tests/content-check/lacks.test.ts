import { expect, test } from 'vitest';
import { lacksOf } from '../../src/content-check/lacks.ts';
import { readService } from '../../src/facts/files.ts';
import { SMALL_SITE } from '../support/small-site.ts';

const service = readService(SMALL_SITE);
const names = ['legalName', 'address', 'register', 'phones', 'recording', 'demo', 'trust'] as const;
const without = { ...service, ...Object.fromEntries(names.map((name) => [name, undefined])) };

test('each fact that visitors or a law expect is told once where it is not given, and in which languages it has no words', () => {
	const lacks = lacksOf(without, ['en', 'de-AT']);
	const told = lacks.map((line) => /^content\/service\.yaml has no (\S+): /.exec(line)?.[1]);
	expect(told).toEqual(names.map((name) => (name === 'trust' ? 'trust.processors' : name)));
	const ofLaw = (lines: string[]) => lines.filter((line) => line.includes('DDG')).length;
	expect([ofLaw(lacks), ofLaw(lacksOf(without, ['en', 'ar']))]).toEqual([3, 0]);
	expect(lacksOf(service, ['en'])).toEqual([]);
	const inFrench = ['demo', 'purpose', 'region', 'location'].map((name) => `${name} in fr`);
	const untranslated = lacksOf(service, ['en', 'de', 'fr']).map((line) => /has no (.*?):/.exec(line)?.[1]);
	expect(untranslated).toEqual([...inFrench, 'retention in de, fr', 'callers in de, fr']);
});
