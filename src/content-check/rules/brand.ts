import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lineAt, suggestionFor, type Mistake } from '../../facts/mistake.ts';
import { filesIn } from '../read/files.ts';

/** Returns the names of the palette: our styles use them and do not declare them. */
export function paletteNames(root: string): string[] {
	const files = filesIn(root, 'src/site').filter((file) => file.endsWith('.css'));
	const styles = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
	const own = new Set<string>(styles.match(/(?<![\w-])--[\w-]+(?=:)/g));
	const used = new Set([...styles.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!));
	return [...used].filter((name) => !own.has(name)).toSorted();
}

/** Light before dark: in the other order, light colours would win in the dark. */
const blocks = /^\s*:root\s*\{([^{}]*)\}\s*@media\s*\(prefers-color-scheme:\s*dark\)\s*\{\s*:root\s*\{([^{}]*)\}\s*\}\s*$/d;

/** Notations that every program here understands. */
const colour = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]+|(rgb|hsl)a?\([^()]*\))$/i;

/** Finds names that are missing, unknown or there twice, for light or for dark, and values that are no colours. */
export function* paletteMistakes(source: string, names: readonly string[]): Generator<Mistake> {
	const bare = source.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
	const match = blocks.exec(bare);
	if (!match)
		yield {
			line: 1,
			found: 'other rules, or a brace too few',
			wanted: ':root { … } for light, and then @media (prefers-color-scheme: dark) { :root { … } }',
		};
	else for (const scheme of ['light', 'dark'] as const) yield* blockMistakes(source, match, scheme, names);
}

function* blockMistakes(
	source: string,
	match: RegExpExecArray,
	scheme: 'light' | 'dark',
	names: readonly string[],
): Generator<Mistake> {
	const index = scheme === 'light' ? 1 : 2;
	const [start] = match.indices![index]!;
	const colours = [...match[index]!.matchAll(/(--[\w-]+)\s*:([^;]*)/g)];
	for (const name of names) {
		const count = colours.filter(([, own]) => own === name).length;
		if (count !== 1)
			yield {
				line: lineAt(source, start),
				found: `${name} ${count} times for ${scheme}`,
				wanted: 'each name once for light and once for dark',
			};
	}
	for (const { 1: field = '', 2: value = '', index } of colours) {
		const line = lineAt(source, start + index);
		if (!names.includes(field)) yield { line, field, found: 'a name that does not exist', wanted: suggestionFor(field, names) };
		if (field !== '--shadow' && !colour.test(value.trim()))
			yield { line, field, found: value.trim() || 'nothing', wanted: 'a colour, such as #336699, rgb(…) or hsl(…)' };
	}
}

/** Finds what keeps the logo from showing: no proportions, or colours that the palette does not have. */
export function* logoMistakes(source: string, names: readonly string[]): Generator<Mistake> {
	const [start = ''] = /<svg\s[^>]*>/.exec(source) ?? [];
	if (!/\sviewBox\s*=/.test(start))
		yield {
			line: lineAt(source, source.indexOf(start)),
			found: start ? '<svg> without viewBox' : 'no <svg>',
			wanted: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">',
		};
	for (const { 0: found, 1: name, index } of source.matchAll(/var\(\s*(--[\w-]+)/g))
		if (!names.includes(name!)) yield { line: lineAt(source, index), found: `${found})`, wanted: suggestionFor(name!, names) };
}
