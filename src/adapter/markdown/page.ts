import type { Element } from 'hast';
import { defaultHandlers, type Handle, type State } from 'hast-util-to-mdast';
import type { Root as MarkdownRoot, Nodes, PhrasingContent, TableRow } from 'mdast';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import { unified } from 'unified';
import { linkHeader } from '../../discovery/link-header.ts';
import { stringifyMarkdown } from '../../discovery/markdown.ts';
import { defaultLanguage } from '../../facts/language.ts';
import { isProblemPath, linksFrom, paths, urlPath } from '../../facts/links.ts';
import type { GuideData } from '../../facts/page.ts';
import type { SearchEntry, SearchPart } from '../../site/docs/search.ts';
import { elementsIn, formHandler } from './form.ts';

declare module 'mdast' {
	interface Data {
		/** The `id` of the element that the node comes from. */
		id?: string | undefined;
	}
}

type MarkdownPage = NonNullable<ReturnType<typeof markdownOf>>;

/**
 * Writes the Markdown of every page that names an address for it, and the search index of the documentation.
 * @param declared the headers that each prerendered route declared, by path. The links between Markdown and page are added
 */
export function writeMarkdown(client: URL, declared: Map<string, Headers>): void {
	const pages = globSync('**/*.html', { cwd: fileURLToPath(client) }).flatMap((file) => {
		const page = markdownOf(readFileSync(new URL(file, client), 'utf8'));
		if (page) declareLinks(urlPath(file), page, declared);
		return page ?? [];
	});
	for (const page of pages) writeFileSync(fileOf(page.path, client), withIndex(page));
	writeFileSync(fileOf(paths.searchIndex, client), searchIndex(pages));
}

const fileOf = (path: string, client: URL) => new URL(path.slice(1), client);

function declareLinks(address: string, { path, canonical }: MarkdownPage, declared: Map<string, Headers>): void {
	const page = new Headers(declared.get(address));
	const markdown = new Headers({
		link: [page.get('link'), linkHeader([{ href: canonical, rel: 'canonical' }])].filter(Boolean).join(', '),
		// Programs on any origin may read it, like the other documents.
		'access-control-allow-origin': '*',
		'cross-origin-resource-policy': 'cross-origin',
	});
	page.append('link', linkHeader([{ href: path, rel: 'alternate', type: 'text/markdown' }]));
	page.append('vary', 'Accept');
	declared.set(address, page).set(path, markdown);
}

/**
 * Returns the Markdown of a built page for programs, or undefined if the page names no address for it. `path` is that address, and
 * `canonical` the absolute URL of the page itself. `text` is the page's `<main>` without its navigation: CommonMark with tables (GFM),
 * every link absolute. `parts` is the page as plain text, by heading.
 */
export function markdownOf(html: string) {
	const elements = [...elementsIn(parser.parse(html))];
	const link = (matches: (properties: Element['properties']) => boolean) =>
		elements.find(({ tagName, properties }) => tagName === 'link' && matches(properties))?.properties['href'];
	const path = link(({ type }) => type === 'text/markdown');
	const canonical = link(({ rel }) => String(rel) === 'canonical');
	const main = elements.find(({ tagName }) => tagName === 'main');
	if (typeof path !== 'string' || typeof canonical !== 'string' || main === undefined) return undefined;

	// The library resolves links against this base: the page's own address, which the canonical one of a variant is not.
	const href = new URL(path.replace(/(\/index)?\.md$/, ''), canonical).href;
	const base: Element = { type: 'element', tagName: 'base', properties: { href }, children: [] };
	const { lang = defaultLanguage } = elements.find(({ tagName }) => tagName === 'html')!.properties;
	const isTranslation = lang !== defaultLanguage;
	const markdown = converter.runSync({ type: 'root', children: [base, main] }) as MarkdownRoot;
	const text = stringifyMarkdown(markdown);
	const title = textOf(markdown.children.find(isTitle) ?? { type: 'text', value: '' });
	const keywords = main.properties['dataKeywords'] ?? '{}';
	const parts = partsOf(markdown, JSON.parse(String(keywords)) as GuideData['keywords'] & {});
	return { path, canonical, isTranslation, title, text, parts };
}

/** Adds links to the skill and the index, for agents that come by a link or by `Accept`. */
function withIndex({ canonical, text }: MarkdownPage): string {
	const links = linksFrom(new URL(canonical).origin);
	return `> Send a lead for a person: ${links.skill}\n>\n> Index of pages and documents: ${links.llmsTxt}\n\n${text}`;
}

const nothing: Handle = () => undefined;
const heading: Handle = (state, node) => ({ ...defaultHandlers.h1(state, node), data: idOf(node) });
const row: Handle = (state, node) => ({ ...defaultHandlers.tr(state, node), data: idOf(node) });
const idOf = ({ properties }: Element) => ({ id: properties['id'] as string | undefined });
/** Drops the link of a heading to its own place: Markdown needs the words only. */
const link: Handle = (state, node) =>
	String(node.properties['rel']) === 'bookmark' ? (state.all(node) as PhrasingContent[]) : defaultHandlers.a(state, node);
const division: Handle = (state, node) =>
	node.properties['role'] === 'note' ? defaultHandlers.blockquote(state, node) : defaultHandlers.div(state, node);
const strongParagraph = (state: State, node: Element) => state.handlers['p']!(state, { ...node, children: [strong(node)] }, node);
const strong = ({ children }: Element): Element => ({ type: 'element', tagName: 'strong', properties: {}, children });

const parser = unified().use(rehypeParse);
const converter = unified().use(rehypeRemark, {
	handlers: {
		a: link,
		div: division,
		footer: nothing,
		form: formHandler,
		h1: heading,
		h2: heading,
		h3: heading,
		nav: nothing,
		summary: strongParagraph,
		tr: row,
	},
});

/** Splits the text of a page into parts, each under a heading or in a row that a link can lead to. */
function partsOf({ children }: MarkdownRoot, keywords: Record<string, string[]>): SearchPart[] {
	let section: SearchPart = { text: '' };
	const parts = [section];
	for (const node of children.filter((child) => !isTitle(child))) {
		const rows = node.type === 'table' ? node.children.filter(({ data }) => data?.id) : [];
		const anchor = node.type === 'heading' ? node.data?.id : undefined;
		if (anchor !== undefined) parts.push((section = { anchor, heading: textOf(node), text: '' }));
		else if (rows.length === 0) section.text = `${section.text} ${textOf(node)}`.trim();
		parts.push(...rows.map(partOfRow));
	}
	for (const part of parts) part.keywords = keywords[part.anchor ?? 'top']?.join(', ');
	return parts;
}

/** Takes the first words of a row, which link to its place, as its heading. */
function partOfRow({ children: [first, ...others], data }: TableRow): SearchPart {
	const [heading, ...rest] = first!.children;
	const text = textOf({ type: 'tableRow', children: [{ type: 'tableCell', children: rest }, ...others] });
	return { anchor: data!.id!, heading: textOf(heading!), text: text.replace(/^[ ·]+/, '') };
}

const isTitle = (node: Nodes) => node.type === 'heading' && node.depth === 1;

function textOf(node: Nodes): string {
	if ('value' in node) return node.type === 'html' ? '' : node.value.replaceAll(/\s+/g, ' ');
	if (!('children' in node)) return ' ';
	const isBlock = node.children.some(({ type }) => /^(paragraph|list|listItem|table.*|blockquote|code)$/.test(type));
	const between = node.type === 'tableRow' ? ' · ' : node.type === 'table' ? ' — ' : isBlock ? ' ' : '';
	return node.children.map(textOf).join(between);
}

/** Returns the search index: the English pages, as JSON. The pages of problems repeat their table. */
function searchIndex(pages: MarkdownPage[]): string {
	const entries: SearchEntry[] = pages
		.filter(({ isTranslation }) => !isTranslation)
		.map(({ canonical, title, parts }) => ({ path: new URL(canonical).pathname, title, parts }))
		.filter(({ path }) => !isProblemPath(path))
		.toSorted((one, other) => one.path.localeCompare(other.path));
	return JSON.stringify(entries);
}
