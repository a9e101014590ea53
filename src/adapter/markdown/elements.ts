import type { Element, Nodes } from 'hast';

/** The elements inside, in the order of the document, but for those that are hidden from assistive technology. */
export function* elementsIn(node: Nodes): Generator<Element> {
	if (!('children' in node)) return;
	for (const child of node.children) {
		if (child.type !== 'element' || child.properties['ariaHidden'] === 'true') continue;
		yield child;
		yield* elementsIn(child);
	}
}
