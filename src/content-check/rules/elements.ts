import type { Nodes, Table } from 'mdast';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { mdxToMdast } from 'satteri';
import { decoded } from '../../facts/links.ts';
import { suggestionFor, type Mistake } from '../../facts/mistake.ts';
import type { Prose, Tag } from '../read/prose.ts';
import type { Content, ReadPage } from '../read/content.ts';

/** The files that Astro takes as images. */
export const imageFile = /\.(avif|gif|jpe?g|png|svg|tiff|webp)$/i;

/** Finds images that are missing, come from another site, or lack an alternative text. */
export function* imageMistakes(file: string, { tags }: Prose, content: Content): Generator<Mistake> {
	for (const tag of tags.filter(({ name }) => name === 'img')) {
		const { line, attributes } = tag;
		const src = decoded(attributes.get('src') ?? '');
		const found = `the image ${src || 'without src'}`;
		const wanted = wantedSource(src, tag, file, content);
		if (wanted !== undefined) yield { line, found, wanted };
		const words = `![what it shows](${src}), or <img src="/…" alt="" /> where it only decorates`;
		if (!(tag.written ? attributes.has('alt') : attributes.get('alt')))
			yield { line, found: `${found} without words`, wanted: words };
	}
}

function wantedSource(src: string, { written }: Tag, file: string, { root, publicPaths }: Content): string | undefined {
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(src)) return 'an image of ours: pages load nothing from other sites';
	if (src.startsWith('/')) return publicPaths.includes(src) ? undefined : `a file of public/, ${suggestionFor(src, publicPaths)}`;
	const beside = path.posix.join(path.posix.dirname(file), src);
	if (written)
		return `![what it shows](./${src.replace(/^\.\//, '')}) for an image beside the page, or /${path.basename(src)} for one in public/`;
	if (!imageFile.test(src)) return 'an image: avif, gif, jpg, png, svg, tiff or webp';
	return existsSync(path.join(root, beside)) ? undefined : `a file that exists: put it at ${beside}, or correct the name`;
}

/** Elements that bring code, style or other pages, and attributes that do. The policy of our pages blocks most of them. */
const forbidden = /^(audio|base|embed|frame|iframe|meta|object|script|style|video|on.+)$/i;
const loading = /^(action|background|formaction|(xlink:)?href|poster|src|srcset)$/i;
const otherSite = /(^|[\s,])([a-z][a-z0-9+.-]*:)?\/\//i;

/** Finds elements and attributes that bring code or style into a page, or load from other sites, imports of what is not there, and paragraphs where HTML has none. `<link>` counts as `<Link>`. */
export function* elementMistakes({ file, prose: { tags, imported } }: ReadPage, { root }: Content): Generator<Mistake> {
	const itsPath = 'an import by its path from this page, or another first word than import and export';
	for (const { code, from, line } of imported.values())
		if (!existsSync(path.join(root, path.dirname(file), from))) yield { line, found: code, wanted: itsPath };
	const wanted = 'a link in its place, or nothing: pages load nothing from other sites, and bring no code or style';
	for (const { name, line, attributes, inside } of tags.filter(({ written, name }) => written && /^(?!link$)[a-z]/.test(name))) {
		if (/^(h[1-6]|p)$/.test(name) && inside.some((tag) => tag.name === 'p'))
			yield { line, found: `the text of <${name}> on lines of its own`, wanted: `<${name}>…</${name}> on one line` };
		if (forbidden.test(name)) yield { line, found: `<${name}>`, wanted };
		else
			for (const [attribute, value = ''] of attributes) {
				// Links load nothing, and the rule for images checks their sources.
				const loads = loading.test(attribute) && name !== 'a' && !(name === 'img' && attribute === 'src');
				if (forbidden.test(attribute) || (loads && otherSite.test(value)))
					yield { line, found: `<${name} ${attribute}="${value}">`, wanted };
			}
	}
}

/** Finds rows of tables in Markdown with other numbers of cells than the first row, and tables, headings, lists and links that show as text. */
export function* tableMistakes({ source, prose: { tags } }: ReadPage): Generator<Mistake> {
	for (const { children: rows } of tablesIn(mdxToMdast(source, { features: { gfm: true } }) as Nodes)) {
		const { length } = rows[0]!.children;
		for (const { children, position } of rows.filter((row) => row.children.length !== length)) {
			const advice = children.length > length ? ': write \\| for a line within a cell' : '';
			const wanted = `${length}, as in the first row${advice}`;
			yield { line: position!.start.line, found: `cells in this row: ${children.length}`, wanted };
		}
	}
	for (const { line, text, inside } of tags.filter(({ name }) => /^(p|li)$/.test(name))) {
		const words = inside.reduce((rest, { name, text }) => (/^(code|p)$/.test(name) ? rest.replace(text, '') : rest), text);
		for (const [mark, what, wanted] of lostMarks)
			if (mark.test(words)) yield { line, found: `${what} that shows as text`, wanted };
	}
}

/** Signs that Markdown leaves as text although an editor meant more, each with its remedy. */
const lostMarks: [mark: RegExp, what: string, wanted: string][] = [
	[/^\s*\|.*\|\s*$/m, 'a table', 'a second line, | - | - |, with as many cells as its first'],
	[/^(\p{Cf}+[-*] |\p{Cf}*##|[•·▪]\s|([-*#]|\d+\.)\u00a0)/mu, 'a mark', '## or - first in its line, an ordinary space behind it'],
	[/\] ?\(([./#]|https?:|mailto:)/, 'a link', '(its address) right behind [its words], with %20 in the place of each space'],
];

const tablesIn = (node: Nodes): Table[] =>
	node.type === 'table' ? [node] : 'children' in node ? node.children.flatMap(tablesIn) : [];
