import path from 'node:path';
import { defaultLanguage } from '../../facts/language.ts';
import type { Mistake } from '../../facts/mistake.ts';
import { wordAttributes } from './components.ts';
import { headingsIn, levelOf } from './headings.ts';
import { frontMatter } from '../../facts/page.ts';
import type { Prose, Tag } from '../read/prose.ts';
import type { ReadPage, Site } from '../read/site.ts';
import { untranslatedMistakes } from './untranslated.ts';

/** Finds parts that a page lacks or has in addition to the English one, and texts that nobody translated. */
export function* translationMistakes(page: ReadPage, site: Site): Generator<Mistake> {
	const { file, language = defaultLanguage, prose } = page;
	const english = site.pages.find(
		(other) => other.language === defaultLanguage && path.basename(other.file) === path.basename(file),
	);
	if (language === defaultLanguage || english === undefined) return;
	const [own, wanted] = [sectionsIn(prose, language), sectionsIn(english.prose, defaultLanguage)];
	const index = [...(own.length > wanted.length ? own : wanted).keys()].find((at) => own[at]?.level !== wanted[at]?.level);
	if (index !== undefined) yield headingMistake(own, wanted, index, english.file);
	else for (const [at, section] of own.entries()) yield* sectionMistakes(section, wanted[at]!, english.file);
	const known = passagesIn(english).map(({ text }) => text);
	yield* untranslatedMistakes(file, language, passagesIn(page), known, site);
}

function headingMistake(own: Section[], wanted: Section[], index: number, english: string): Mistake {
	const [found, meant] = [own[index], wanted[index]];
	return {
		line: (found ?? own.at(-1)!).line,
		found: found ? headingText(found) : 'no more headings',
		wanted: meant ? `one for ${headingText(meant)} (${english}:${meant.line})` : `no more headings, as in ${english}`,
	};
}

const headingText = ({ heading, level }: Section) => `“${heading}” as a heading of level ${level}`;

function* sectionMistakes(own: Section, wanted: Section, english: string): Generator<Mistake> {
	const place = own.level === 0 ? 'above the first heading' : 'below this heading';
	for (const name of new Set([...own.parts, ...wanted.parts].map((part) => part.name))) {
		const linesIn = ({ parts }: Section) => parts.flatMap((part) => (part.name === name ? part.line : []));
		const [found, meant] = [linesIn(own), linesIn(wanted)];
		if (found.length !== meant.length)
			yield {
				line: found.length > meant.length ? found.at(-1)! : own.line,
				found: `${found.length || 'no'} ${name}`,
				wanted: `${meant.length || 'none'} ${place}, as in ${english}:${meant.join(', ') || wanted.line}`,
			};
	}
}

/** Returns every passage to translate. */
function passagesIn({ prose, source }: ReadPage): { text: string; line: number }[] {
	const top = frontMatter(source).split('\n');
	return [
		...top.map((text, index) => ({ text: text.replace(/^\w+:\s*/, ''), line: index + 1 })),
		...prose.tags.flatMap(({ attributes, line }) =>
			[...wordAttributes].flatMap((name) => attributes.get(name) ?? []).map((text) => ({ text, line })),
		),
		...prose.texts.map(({ source: text, line }) => ({ text, line })),
	];
}

/** The parts below a heading, or before the first one. */
interface Section {
	/** Its words; none before the first heading. */
	heading: string;
	level: number;
	line: number;
	/** The paragraphs, list items, components and links, with the conditions around them: each language must have the same. */
	parts: { name: string; line: number }[];
}

/** Returns the sections of a page in order. */
function sectionsIn(prose: Prose, language: string): Section[] {
	const headings = new Set(headingsIn(prose));
	const sections: Section[] = [{ heading: '', level: 0, line: 1, parts: [] }];
	/** The conditions around each tag, outermost first. */
	const conditions = new Map<Tag, string>();
	for (const tag of prose.tags) {
		const { text, line, inside } = tag;
		const condition = conditions.get(tag) ?? '';
		const name = headings.has(tag) ? condition && 'heading' : partOf(tag, language);
		for (const child of inside) conditions.set(child, tag.name === 'When' ? `${condition} in ${name}` : condition);
		if (headings.has(tag)) sections.push({ heading: text, level: levelOf(tag), line, parts: [] });
		if (name) sections.at(-1)!.parts.push({ name: name + condition, line });
	}
	return sections;
}

/** Names a component with all attributes that are not words, a link with its target, a paragraph or a list item. */
function partOf({ name, attributes }: Tag, language: string): string | undefined {
	if (name === 'p') return 'paragraph(s)';
	if (name === 'li') return 'list item(s)';
	const href = attributes.get('href')?.replace(/^([^:#]*)#.*/, '$1#…');
	if (name === 'a') return `[…](${href?.replace(new RegExp(`^/${language}(?:/|(?=#)|$)`), '/') ?? ''})`;
	if (!/^[A-Z]/.test(name)) return undefined;
	const kept = [...attributes].filter(([attribute]) => !wordAttributes.has(attribute));
	return `<${[name, ...kept.map(([attribute, value]) => `${attribute}="${value}"`)].join(' ')}>`;
}
