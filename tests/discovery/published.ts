import { documentAnswer, documents } from '../../src/discovery/documents.ts';
import type { Source } from '../../src/discovery/source.ts';
import { factsOf } from '../../src/facts/facts.ts';
import { linksFrom } from '../../src/facts/links.ts';
import { service, wordsIn } from '../../src/facts/load.ts';

export const origin = 'https://clinic-phone.test';
export const links = linksFrom(origin);

/** Our own facts, as published at an origin of the tests where API keys are issued. */
export const issued: Source = {
	service: { ...service, keys: 'issued' },
	facts: factsOf(service, origin, wordsIn('en')),
	origin,
	links,
	documents,
	pages: [
		{ path: '/', title: 'Home', description: 'The start.', language: 'en' },
		{ path: '/docs', title: 'Documentation', description: 'How to use it.', language: 'en' },
		{ path: '/docs/changes/first', title: 'First', description: 'One.', language: 'en', isDetail: true },
		{ path: '/de', title: 'Telefonassistenz', description: 'Der Anfang.', language: 'de' },
		{ path: '/de/contact', title: 'Kontakt', description: 'Der Anfang.', language: 'de' },
	],
	builtOn: '2026-11-01',
};

/** {@link issued} where no API keys are issued. */
export const keyless: Source = { ...issued, service: { ...service, keys: 'none' } };

/** Matches words that only make sense where API keys are issued. */
export const ofIssuedKeys =
	/issued by hand|to issue a key|ask for (one|an API key)|key has a (rate )?limit|have a limit of|have your own limit|with an API key|which API key|which key|scope an API key|contact\/api-access|register_uri|claim_uri|revoked by hand|insufficient.scope/i;

const documentAt = new Map<string, (typeof documents)[number]>(documents.map((one) => [one.path, one]));
export const answerAt = (path: string, source = issued) => documentAnswer(documentAt.get(path)!, source);

export const textAt = (path: string, source = issued): string => String(answerAt(path, source).body);

export const jsonAt = (path: string, source = issued) => JSON.parse(textAt(path, source)) as Record<string, unknown>;
