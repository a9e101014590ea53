import type { Nodes, Root } from 'mdast';
import type { SearchPart } from '../../site/docs/search-entry.ts';

declare module 'mdast' {
	interface HeadingData {
		/** Of the element that it was made from. */
		id?: string | undefined;
	}
}

/** The text of a page in parts, each under a heading that a link can lead to. */
export function partsOf({ children }: Root): SearchPart[] {
	const parts: SearchPart[] = [{ text: '' }];
	for (const node of children.filter((child) => !isTitle(child))) {
		const anchor = node.type === 'heading' ? node.data?.id : undefined;
		const text = textOf(node);
		const last = parts.at(-1)!;
		if (anchor === undefined) last.text = `${last.text} ${text}`.trim();
		else parts.push({ anchor, heading: text, text: '' });
	}
	return parts;
}

/** The heading of the page. */
export const titleOf = ({ children }: Root): string => textOf(children.find(isTitle) ?? { type: 'text', value: '' });

const isTitle = (node: Nodes) => node.type === 'heading' && node.depth === 1;

/** The words of what stands one below the other are kept apart. */
function textOf(node: Nodes): string {
	if ('value' in node) return node.type === 'html' ? '' : node.value.replaceAll(/\s+/g, ' ');
	if (!('children' in node)) return ' ';
	const isBlock = node.children.some(({ type }) => /^(paragraph|list|listItem|table.*|blockquote|code)$/.test(type));
	return node.children.map(textOf).join(isBlock ? ' ' : '');
}
