import type { Link, Literal, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkStringify, { type Options } from 'remark-stringify';
import { type MdxJsxFlowElement, type MdxJsxTextElement, mdxToMdast } from 'satteri';
import { unified } from 'unified';
import { type Condition, isMet } from '../facts/facts.ts';
import { fact, fillFacts } from '../facts/fill.ts';
import { hrefOf } from '../facts/links.ts';
import { ContentError, mistakeText } from '../facts/mistake.ts';
import type { Source } from './source.ts';

/** Writes Markdown: CommonMark with tables (GFM). */
export const stringifyMarkdown = (tree: Root, handlers: Options['handlers'] = {}): string =>
	unified()
		.use(remarkGfm, { tablePipeAlign: false })
		.use(remarkStringify, { bullet: '-', rule: '-', resourceLink: true, handlers })
		.stringify(tree);

type MdxSource = Pick<Source, 'origin' | 'service' | 'facts'>;
type Handle = NonNullable<NonNullable<Options['handlers']>['link']>;

/**
 * Returns a text in MDX as Markdown, with absolute links. Its components say what they say on pages.
 * @param file the file with the text, for messages
 * @throws {ContentError} the text names a fact that does not exist, or has a component that only pages can show
 */
export function mdxToMarkdown(text: string, file: string, { origin, service, facts }: MdxSource): string {
	const component: Handle = (node: MdxJsxFlowElement | MdxJsxTextElement, _parent, state, info) => {
		const { name, to, ...condition } = attributesOf(node);
		const inside = () => {
			// A list that begins above goes on inside, with the same bullet.
			state.bulletLastUsed = undefined;
			return node.type === 'mdxJsxFlowElement' ? state.containerFlow(node, info) : state.containerPhrasing(node, info);
		};
		if (node.name === 'Fact') return fact(facts, name!, file);
		if (node.name === 'When') return isMet(condition, service, facts) ? inside() : '';
		if (node.name === 'code') return `\`${inside()}\``;
		if (node.name === 'Link') {
			const target = fact(facts, to!, file);
			const href = hrefOf(to!, target).replace(/^\//, `${origin}/`);
			const words = inside() || target;
			return words === href ? `<${href}>` : `[${words}](${href})`;
		}
		const wanted = '<Fact>, <Link>, <When> or <code>: this text is for programs';
		throw new ContentError([mistakeText(file, { line: node.position!.start.line, found: `<${node.name}>`, wanted })]);
	};
	const link: Handle = (node: Link, _parent, state, info) =>
		`[${state.containerPhrasing(node, info)}](${new URL(node.url, origin).href})`;
	// Blocks of code and front matter cannot have components.
	const tree = mdxToMdast(fillFacts(text, facts, file), { features: { frontmatter: true } }) as Root;
	const markdown = stringifyMarkdown(tree, { link, mdxJsxFlowElement: component, mdxJsxTextElement: component, yaml });
	// A hidden block leaves its empty lines.
	return markdown.replaceAll(/\n{3,}/g, '\n\n');
}

const yaml = ({ value }: Literal) => `---\n${value}\n---`;

const attributesOf = ({ attributes }: MdxJsxFlowElement | MdxJsxTextElement): Condition & { name?: string; to?: string } =>
	Object.fromEntries(attributes.flatMap((attribute) => ('name' in attribute ? [[attribute.name, attribute.value]] : [])));
