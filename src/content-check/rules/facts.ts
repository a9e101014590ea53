import { factInCode, factInWords } from '../../facts/fill.ts';
import { lineAt, suggestionFor, type Mistake } from '../../facts/mistake.ts';
import type { Prose } from '../read/prose.ts';
import type { Content } from '../read/content.ts';

/** Finds names between `{{` and `}}` that are no facts. */
export function* factMistakes(text: string, { facts }: Content, firstLine = 1, pattern = factInWords): Generator<Mistake> {
	for (const { 1: name = '', index } of text.matchAll(pattern)) {
		const line = firstLine + lineAt(text, index) - 1;
		if (facts && !facts.includes(name)) yield { line, found: `the fact ${name}`, wanted: suggestionFor(name, facts) };
	}
}

/** Finds misplaced braces: `{{fact}}` works only in blocks of code, `{code}` only with a name that the file imports. */
export function* braceMistakes({ tags, expressions, imported }: Prose, content: Content): Generator<Mistake> {
	const { facts = [] } = content;
	for (const { name, line, text } of tags) {
		const [named] = text.match(factInCode) ?? [];
		if (name === 'code' && named) yield { line, found: named, wanted: '<Fact name="…" />: only blocks of code know {{…}}' };
		// The text begins below the fence.
		if (name === 'pre') yield* factMistakes(text, content, line + 1, factInCode);
	}
	for (const { text, line } of expressions) {
		const name = text.replaceAll(/[{}\s]/g, '');
		if (isComment(text) || isString(text) || imported.has(name)) continue;
		const braces = `\\{${name}\\} for the braces themselves, or <Fact name="…" />`;
		yield { line, found: `{${text}} in prose`, wanted: facts.includes(name) ? `<Fact name="${name}" />` : braces };
	}
}

const isComment = (code: string) => /^\s*\/\*[^]*\*\/\s*$/.test(code);
const isString = (code: string) => /^\s*(['"`])[^]*\1\s*$/.test(code);
