import { type CssNode, type Declaration, generate, lexer, parse } from 'css-tree';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lineAt, suggestionFor, type Mistake } from '../../facts/mistake.ts';
import { filesIn } from '../read/files.ts';

/** The blocks of the palette, in this order: in the other order, light colours would win in the dark. */
const blocks = { light: ':root', dark: '@media (prefers-color-scheme:dark) :root' };

interface Block {
	selector: string;
	line: number;
	declarations: Declaration[];
}

/** Returns the names of the palette: our styles use them and do not declare them. */
export function paletteNames(root: string): string[] {
	const files = filesIn(root, 'src/site').filter((file) => file.endsWith('.css'));
	const styles = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
	const own = new Set<string>(styles.match(/(?<![\w-])--[\w-]+(?=:)/g));
	const used = new Set([...styles.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!));
	return [...used].filter((name) => !own.has(name)).toSorted();
}

/** Finds names that are missing, unknown or misspelt, for light or for dark, and values that are no colours. */
export function* paletteMistakes(source: string, names: readonly string[]): Generator<Mistake> {
	const errors: Mistake[] = [];
	const onParseError = ({ message, line }: { message: string; line?: number }) =>
		errors.push({ line: line!, found: 'a syntax error', wanted: `valid CSS. ${message}` });
	const found = [...blocksIn(parse(source, { positions: true, onParseError }))];
	yield* errors;
	const bare = source.replaceAll(/\/\*[^]*?\*\//g, '');
	if (bare.split('{').length > bare.split('}').length)
		yield { line: source.trimEnd().split('\n').length, found: 'the end', wanted: '} before it, for each {' };
	const selectors = found.map(({ selector }) => selector.replaceAll(/\s+/g, ' ')).join(', ');
	if (selectors === Object.values(blocks).join(', '))
		for (const [index, scheme] of Object.keys(blocks).entries()) yield* blockMistakes(found[index]!, scheme, names);
	else
		yield {
			line: 1,
			found: selectors || 'nothing',
			wanted: ':root { … } for light, and then @media (prefers-color-scheme: dark) { :root { … } }',
		};
}

function* blocksIn(node: CssNode, above = ''): Generator<Block> {
	if (node.type === 'Rule') {
		const declarations = node.block.children.toArray().filter((child) => child.type === 'Declaration');
		yield { selector: above + generate(node.prelude), line: lineOf(node), declarations };
	} else if (node.type === 'StyleSheet') for (const child of node.children) yield* blocksIn(child, above);
	else if (node.type === 'Atrule')
		for (const child of node.block?.children ?? [])
			yield* blocksIn(child, `@${node.name} ${node.prelude ? generate(node.prelude) : ''} `);
}

function* blockMistakes({ line, declarations }: Block, scheme: string, names: readonly string[]): Generator<Mistake> {
	const colours = declarations.filter(({ property }) => property.startsWith('--'));
	const places = new Map(colours.toReversed().map((colour) => [colour.property, colour]));
	for (const name of names)
		if (!places.has(name))
			yield { line, found: `no ${name} for ${scheme}`, wanted: 'each name once for light and once for dark' };
	for (const colour of colours) {
		const place = { line: lineOf(colour), field: colour.property };
		if (!names.includes(colour.property))
			yield { ...place, found: 'a name that does not exist', wanted: suggestionFor(colour.property, names) };
		else if (places.get(colour.property) !== colour) yield { ...place, found: `it again for ${scheme}`, wanted: 'it once' };
		yield* valueMistakes(colour);
	}
}

function* valueMistakes(colour: Declaration): Generator<Mistake> {
	const value = generate(colour.value).replaceAll(/\s+/g, ' ').trim();
	const isShadow = colour.property === '--shadow';
	const { error } = isShadow ? lexer.matchProperty('box-shadow', value) : lexer.match(COLOUR, value);
	const wanted = isShadow ? 'shadows, as in box-shadow' : 'a colour, such as #336699, rgb(…) or hsl(…)';
	if (error) yield { line: lineOf(colour), field: colour.property, found: value || 'nothing', wanted };
}

/** Notations that every program here understands. The one for icons and images of shared links draws `oklch()` in black. */
const COLOUR = '<hex-color> | <named-color> | <rgb()> | <rgba()> | <hsl()> | <hsla()>';

const lineOf = (node: CssNode) => node.loc!.start.line;

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
