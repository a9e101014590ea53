import { wordAttributes } from './components.ts';
import { headingsIn, levelOf } from './headings.ts';
import type { Prose, Tag } from './prose.ts';

/** What stands below a heading, or above the first one. */
export interface Section {
	/** Its words; none above the first. */
	heading: string;
	level: number;
	line: number;
	/** The components and links, which are the same in every language. */
	parts: { name: string; line: number }[];
}

/** The sections of a page in a language, in their order. */
export function sectionsIn(prose: Prose, language: string): Section[] {
	const headings = new Set(headingsIn(prose));
	const sections: Section[] = [{ heading: '', level: 0, line: 1, parts: [] }];
	for (const tag of prose.tags) {
		const { text, line } = tag;
		const name = partOf(tag, language);
		if (headings.has(tag)) sections.push({ heading: text, level: levelOf(tag), line, parts: [] });
		else if (name !== undefined) sections.at(-1)!.parts.push({ name, line });
	}
	return sections;
}

/** A component with all that is no word, or a link with what it leads to. */
function partOf({ name, attributes }: Tag, language: string): string | undefined {
	const href = attributes.get('href')?.replace(/^#.*/, '#…');
	if (name === 'a') return `[…](${href?.replace(new RegExp(`^/${language}(/|$)`), '/') ?? ''})`;
	if (!/^[A-Z]/.test(name)) return undefined;
	const kept = [...attributes].filter(([attribute]) => !wordAttributes.has(attribute));
	return `<${[name, ...kept.map(([attribute, value]) => `${attribute}="${value}"`)].join(' ')}>`;
}
