import type { Nodes } from 'hast';
import { mdxToHast } from 'satteri';
import { ContentError, mistakeText } from '../../facts/mistake.ts';

export interface Tag {
	name: string;
	/** True if the file has the tag itself, such as `<a href="…">`; false if Markdown makes it. */
	written: boolean;
	/** `undefined` for a value that is an expression. */
	attributes: Map<string, string | undefined>;
	/** The line in the file, from 1. */
	line: number;
	text: string;
	inside: Tag[];
}

export type Prose = ReturnType<typeof parseProse>;

/** Reads MDX as Astro does. @throws {ContentError} it is not valid */
export function parseProse({ file, source }: Record<'file' | 'source', string>) {
	const tags = new Map<Nodes | undefined, Tag>();
	const expressions: { text: string; line: number }[] = [];
	const imported = new Map<string, { code: string; from: string; line: number }>();
	for (const { node, line, above } of nodesIn(parse(file, source))) {
		const text = textOf(node);
		if (node.type === 'mdxjsEsm')
			for (const [code, name = code, from = '?'] of node.value.matchAll(/^(?:import (\w+) from ['"](.*)['"]|(?:im|ex)port .+)/gm))
				imported.set(name, { code, from, line });
		if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') expressions.push({ text, line });
		if (node.type === 'element' || node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
			const [name, written] = node.type === 'element' ? [node.tagName, false] : [node.name ?? '', true];
			const tag = { name, written, attributes: attributesOf(node), line, text, inside: [] };
			tags.set(node, tag);
			tags.get(above)?.inside.push(tag);
		}
	}
	return { tags: [...tags.values()], expressions, imported };
}

function parse(file: string, source: string): Nodes {
	try {
		return mdxToHast(source, { features: { gfm: true, smartPunctuation: true } });
	} catch (error) {
		// `12:3: Expected a closing tag for `<p>` (mdx-jsx:unexpected-character)`
		const [, place = '1', what] = /^(?:(\d+):\d+: )?(.*?)(?: \([\w-]+:[\w-]+\))?$/s.exec((error as Error).message)!;
		const line = Number(place);
		const [braces, name] = /\{\{\s*([\w.:]+)\s*\}\}/.exec(source.split('\n')[line - 1]!) ?? [];
		const fact = { line, found: `${braces} in prose`, wanted: `<Fact name="${name}" />` };
		const syntax = { line, found: 'a syntax error', wanted: `valid MDX. ${what}. Write \\{ or \\< for what shows, " for “` };
		throw new ContentError([mistakeText(file, braces ? fact : syntax)]);
	}
}

/** Yields every node with its line and its parent, but no node inside a block of code. */
function* nodesIn(node: Nodes, above?: Nodes, lineAbove = 1): Generator<{ node: Nodes; line: number; above: Nodes | undefined }> {
	const line = node.position?.start.line ?? lineAbove;
	yield { node, line, above };
	if (!('children' in node) || (node.type === 'element' && node.tagName === 'pre')) return;
	for (const child of node.children) yield* nodesIn(child, node, line);
}

const textOf = (node: Nodes): string =>
	'value' in node ? node.value : 'children' in node ? node.children.map(textOf).join('') : '';

function attributesOf(node: Extract<Nodes, { properties: unknown } | { attributes: unknown }>): Tag['attributes'] {
	const written = 'attributes' in node ? node.attributes.filter((attribute) => attribute.type === 'mdxJsxAttribute') : [];
	const made = 'properties' in node ? Object.entries(node.properties) : [];
	const entries = [...made, ...written.map(({ name, value }) => [name, value ?? ''] as const)];
	return new Map(entries.map(([name, value]) => [name, typeof value === 'string' ? value : undefined]));
}
