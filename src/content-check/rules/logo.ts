import sax from 'sax';
import { lineAt, suggestionFor, type Mistake } from '../../facts/mistake.ts';

const drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">';
const within = 'a drawing that needs no other file: browsers load none';

/** Finds what keeps the logo from showing in pages or as an icon, and what makes it more than a drawing. */
export function* logoMistakes(source: string, names: readonly string[]): Generator<Mistake> {
	for (const { 0: found, 1: name, index } of source.matchAll(/var\(\s*(--[\w-]+)/g))
		if (!names.includes(name!)) yield { line: lineAt(source, index), found: `${found})`, wanted: suggestionFor(name!, names) };
	for (const { 0: found, index } of source.matchAll(/url\(\s*['"]?(?!#|data:|['"\s])[^)]*\)?|@import|<\?xml-stylesheet/g))
		yield { line: lineAt(source, index), found, wanted: within };
	const { tags, error } = read(source);
	for (const [index, { tag, start }] of tags.entries())
		for (const mistake of [...(index === 0 ? rootMistakes(tag) : []), ...tagMistakes(tag)])
			yield { line: lineAt(source, start), ...mistake };
	if (error) yield error;
	else if (tags.length === 0) yield { line: 1, found: 'no element', wanted: drawn };
}

/** Reads the elements up to the first error, and returns that error. */
function read(source: string): { tags: { tag: sax.QualifiedTag; start: number }[]; error?: Mistake } {
	const tags: { tag: sax.QualifiedTag; start: number }[] = [];
	let depth = 0;
	const parser = Object.assign(sax.parser(true, { xmlns: true }), {
		onopentag(tag: sax.QualifiedTag) {
			if (depth++ === 0 && tags.length > 0) throw new Error(`Second root <${tag.name}>`);
			tags.push({ tag, start: parser.startTagPosition });
		},
		onclosetag: () => void depth--,
		// Without this, the parser would go on and forget the error.
		onerror(error: Error) {
			throw error;
		},
	});
	try {
		parser.write(source).close();
		return { tags };
	} catch (error) {
		const what = (error as Error).message.replace(/\.?\n[^]*/, '');
		return { tags, error: { line: parser.line + 1, found: 'a syntax error', wanted: `well-formed XML. ${what}` } };
	}
}

function* rootMistakes({ name, local, uri, attributes }: sax.QualifiedTag): Generator<Mistake> {
	const viewBox = attributes['viewBox']?.value;
	if (local !== 'svg' || uri !== 'http://www.w3.org/2000/svg') yield { found: `<${name}> that is no SVG`, wanted: drawn };
	else if (!/^\s*([-+.\d]+[\s,]+){3}[-+.\d]+\s*$/.test(viewBox ?? ''))
		yield { found: viewBox === undefined ? '<svg> without viewBox' : `viewBox="${viewBox}"`, wanted: drawn };
}

function* tagMistakes({ name, local, attributes }: sax.QualifiedTag): Generator<Mistake> {
	if (local === 'script') yield { found: `<${name}>`, wanted: 'a drawing without code' };
	for (const attribute of Object.values(attributes)) {
		const found = `${attribute.name}="${attribute.value}"`;
		if (attribute.local.startsWith('on')) yield { found, wanted: 'a drawing without code' };
		if (/^(href|src)$/.test(attribute.local) && !/^\s*(#|data:)/.test(attribute.value)) yield { found, wanted: within };
	}
}
