import { suggestionFor, type Mistake } from '../../facts/mistake.ts';
import type { Prose } from '../read/prose.ts';
import type { Site } from '../read/site.ts';

/** Finds names between `{{` and `}}` that are no facts. */
export function* factMistakes(text: string, { facts }: Site, firstLine = 1): Generator<Mistake> {
	for (const { 1: name = '', index } of text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)) {
		const line = firstLine + text.slice(0, index).split('\n').length - 1;
		if (facts && !(name in facts)) yield { line, found: `the fact ${name}`, wanted: suggestionFor(name, Object.keys(facts)) };
	}
}

/** Finds misplaced braces: `{{fact}}` works only in blocks of code, `{code}` only with a name that the file imports or declares. */
export function* braceMistakes({ tags, expressions, declaredNames }: Prose, site: Site): Generator<Mistake> {
	for (const { name, line, text } of tags) {
		// The text begins below the fence.
		if (name === 'pre') yield* factMistakes(text, site, line + 1);
		if (name === 'code' && text.includes('{{'))
			yield {
				line,
				found: text,
				wanted: `<code>${asTag(text.replace(/.*\{\{\s*|\s*\}\}.*/g, ''))}</code>: only blocks of code know {{…}}`,
			};
	}
	for (const { text, line } of expressions) {
		const name = text.replaceAll(/[{}\s]/g, '');
		if (isComment(text) || isString(text) || declaredNames.has(/^\w*/.exec(name)![0])) continue;
		yield {
			line,
			found: `{${text}} in prose`,
			wanted: name in (site.facts ?? {}) ? asTag(name) : `\\{${name}\\} for the braces themselves, or <Fact name="…" />`,
		};
	}
}

const asTag = (name: string) => `<Fact name="${name}" />`;
const isComment = (code: string) => /^\s*\/\*[^]*\*\/\s*$/.test(code);
const isString = (code: string) => /^\s*(['"`])[^]*\1\s*$/.test(code);
