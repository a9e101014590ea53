import type { Element, Nodes } from 'hast';

/** Yields the elements inside, in the document's order, without those hidden from assistive technology. */
export function* elementsIn(node: Nodes): Generator<Element> {
	if (!('children' in node)) return;
	for (const child of node.children) {
		if (child.type !== 'element' || child.properties['ariaHidden'] === 'true') continue;
		yield child;
		yield* elementsIn(child);
	}
}
