import { defaultLanguage } from '../facts/language.ts';
import { SERVICE, type Service } from '../facts/schema.ts';

/** Laws that ask the website of a company for its name, address and register, by language of their country. */
const imprintLaws: Record<string, string> = { de: '§ 5 DDG', es: 'article 10 LSSI', fr: 'article 1-1 LCEN' };

/** Says which facts are not given that visitors or a law expect, and which lack a language, one line for each: where to write them. */
export function lacksOf(service: Service, languages: string[]): string[] {
	const given: Record<string, unknown> = { ...service, 'trust.processors': service.trust?.processors };
	const laws = languages.flatMap((tag) => imprintLaws[tag.split('-', 1)[0]!] ?? []);
	const law = laws.length > 0 ? `, and in some countries the law asks for it (${laws.join(', ')})` : '';
	const expected = {
		legalName: `visitors look for the registered name of the company${law}`,
		address: `visitors look for the address of the company${law}`,
		register: `visitors look for the company in its register${law}`,
		phones: 'some visitors would rather call',
		recording: 'visitors want to hear a call before they ask for a demo',
		demo: 'visitors want to know what they get when they ask for a demo',
		'trust.processors': 'the privacy notice cannot name who receives data, and where (article 13 GDPR)',
	};
	const untranslated: string[] = [];
	JSON.stringify(service, (name, value: unknown) => {
		const texts = Object(value) as Record<string, string>;
		const lacking = texts[defaultLanguage] ? languages.filter((language) => !texts[language]) : [];
		if (lacking.length > 0)
			untranslated.push(`${SERVICE} has no ${name} in ${lacking.join(', ')}: pages show ${defaultLanguage}. Write it there.`);
		return value;
	});
	return Object.entries(expected)
		.filter(([name]) => !given[name])
		.map(([name, reason]) => `${SERVICE} has no ${name}: ${reason}. Write it there, where a comment shows its form.`)
		.concat(untranslated);
}
