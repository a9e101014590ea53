import authMd from '../../content/auth.mdx?raw';
import skill from '../../content/skills/send-a-lead/SKILL.mdx?raw';
import { documentAnswer, documents } from '../../src/discovery/documents.ts';
import type { Source } from '../../src/discovery/source.ts';
import { linksFrom } from '../../src/facts/links.ts';
import { service, wordsIn } from '../../src/facts/load.ts';

export const origin = 'https://clinic-phone.test';
export const links = linksFrom(origin);

/** Our own facts, as published at an origin of the tests where API keys are issued. */
export const issued: Source = {
	service: { ...service, keys: 'issued' },
	words: wordsIn('en'),
	origin,
	links,
	documents,
	authMd,
	skill,
	pages: [
		{ path: '/', title: 'Home', description: 'The start.', language: 'en' },
		{ path: '/docs', title: 'Documentation', description: 'How to use it.', language: 'en' },
		{ path: '/docs/a&b', title: 'A and B', description: 'Two letters.', language: 'en' },
	],
	builtOn: '2026-11-01',
};

/** {@link issued} where no API keys are issued. */
export const keyless: Source = { ...issued, service: { ...service, keys: 'none' } };

/** Matches words that only make sense where API keys are issued. */
export const ofIssuedKeys =
	/issued by hand|to issue a key|ask for (one|an API key)|key has a (rate )?limit|have a limit of|have your own limit|with an API key|which API key|which key|scope an API key|contact\/api-access|register_uri|claim_uri|revoked by hand|insufficient.scope/i;

/** Returns the answer for a path. */
export function answerAt(path: string, source = issued) {
	const document = documents.find((candidate) => candidate.path === path);
	if (document === undefined) throw new Error(`No document is published at ${path}.`);
	return documentAnswer(document, source);
}

/** Returns the JSON that is published at a path. */
export const jsonAt = (path: string, source = issued): Record<string, unknown> =>
	JSON.parse(answerAt(path, source).body) as Record<string, unknown>;

export const textAt = (path: string, source = issued): string => answerAt(path, source).body;
