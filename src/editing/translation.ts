import path from 'node:path';
import { defaultLanguage } from '../service/language.ts';
import type { Mistake } from '../service/mistake.ts';
import { wordAttributes } from './components.ts';
import { frontMatter } from './page.ts';
import { type Section, sectionsIn } from './sections.ts';
import type { ReadPage, Site } from './site.ts';
import { untranslatedMistakes } from './untranslated.ts';

/** What a page lacks of the English one, or has beyond it, and what is not translated. */
export function* translationMistakes(page: ReadPage, { pages }: Site): Generator<Mistake> {
	const { file, language = defaultLanguage, prose } = page;
	const english = pages.find((other) => other.language === defaultLanguage && path.basename(other.file) === path.basename(file));
	if (language === defaultLanguage || english === undefined) return;
	const [own, wanted] = [sectionsIn(prose, language), sectionsIn(english.prose, defaultLanguage)];
	const index = [...(own.length > wanted.length ? own : wanted).keys()].find((at) => own[at]?.level !== wanted[at]?.level);
	if (index !== undefined) yield headingMistake(own, wanted, index, english.file);
	else for (const [at, section] of own.entries()) yield* partMistakes(section, wanted[at]!, english.file);
	const known = passagesIn(english).map(({ text }) => text);
	yield* untranslatedMistakes(passagesIn(page), known, language);
}

function headingMistake(own: Section[], wanted: Section[], index: number, english: string): Mistake {
	const [found, meant] = [own[index], wanted[index]];
	return {
		line: (found ?? own.at(-1)!).line,
		found: found ? called(found) : 'no more headings',
		wanted: meant ? `one for ${called(meant)} (${english}:${meant.line})` : `no more headings, as in ${english}`,
	};
}

const called = ({ heading, level }: Section) => `“${heading}” as a heading of level ${level}`;

function* partMistakes(own: Section, wanted: Section, english: string): Generator<Mistake> {
	const place = own.level === 0 ? 'above the first heading' : 'below this heading';
	for (const name of new Set([...own.parts, ...wanted.parts].map((part) => part.name))) {
		const linesIn = ({ parts }: Section) => parts.flatMap((part) => (part.name === name ? part.line : []));
		const [found, meant] = [linesIn(own), linesIn(wanted)];
		const often = meant.length === 0 ? 'none' : `it ${times[meant.length] ?? `${meant.length} times`}`;
		const asThere = `${often} ${place}, as in ${english}:${meant.join(', ') || wanted.line}`;
		const few = found.length === 0 ? `no ${name}` : `too few of ${name}`;
		if (found.length < meant.length) yield { line: own.line, found: few, wanted: asThere };
		if (found.length > meant.length) yield { line: found.at(-1)!, found: name, wanted: asThere };
	}
}

const times: Record<number, string> = { 1: 'once', 2: 'twice' };

/** All that is to be translated. */
function passagesIn({ prose, source }: ReadPage): { text: string; line: number }[] {
	const top = frontMatter(source).split('\n');
	return [
		...top.map((text, index) => ({ text: text.replace(/^\w+:\s*/, ''), line: index + 1 })),
		...prose.tags.flatMap(({ attributes, line }) =>
			[...wordAttributes].flatMap((name) => attributes.get(name) ?? []).map((text) => ({ text, line })),
		),
		...prose.words.map(({ source: text, line }) => ({ text, line })),
	];
}
