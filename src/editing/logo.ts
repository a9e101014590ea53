import sax from 'sax';
import type { Mistake } from '../service/mistake.ts';
import { instead } from '../service/nearest.ts';

const drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 width height">';
const within = 'a drawing that has everything in it: no other file is loaded';

/** What keeps the logo from being drawn, in pages and alone as an icon, or makes it more than a drawing. */
export function logoMistakes(source: string, names: readonly string[]): Mistake[] {
	const lineAt = (index: number) => source.slice(0, index).split('\n').length;
	const mistakes: Mistake[] = [];
	for (const { 0: found, 1: name, index } of source.matchAll(/var\(\s*(--[\w-]+)/g))
		if (!names.includes(name!)) mistakes.push({ line: lineAt(index), found: `${found})`, wanted: instead(name!, names) });
	for (const { 0: found, index } of source.matchAll(/url\(\s*['"]?(?!#|data:|['"\s])[^)]*\)?|@import|<\?xml-stylesheet/g))
		mistakes.push({ line: lineAt(index), found, wanted: within });

	const parser = sax.parser(true, { xmlns: true });
	let isRoot = true;
	parser.onopentag = (tag) => {
		const line = lineAt(parser.startTagPosition);
		const found = [...(isRoot ? rootMistakes(tag as sax.QualifiedTag) : []), ...tagMistakes(tag as sax.QualifiedTag)];
		mistakes.push(...found.map((mistake) => ({ line, ...mistake })));
		isRoot = false;
	};
	parser.onerror = (error) => {
		const [what] = error.message.split('\n');
		throw new SyntaxError(what);
	};
	try {
		parser.write(source).close();
		if (isRoot) mistakes.push({ line: 1, found: 'no element', wanted: drawn });
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		mistakes.push({ line: parser.line + 1, found: 'what cannot be read', wanted: `well-formed XML. ${error.message}` });
	}
	return mistakes;
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
