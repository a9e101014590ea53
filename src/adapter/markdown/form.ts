import type { Element, Nodes } from 'hast';
import type { Handle, State } from 'hast-util-to-mdast';
import type { ListItem, Paragraph, PhrasingContent } from 'mdast';
import { linksFrom } from '../../facts/links.ts';
import { exampleLead } from '../../lead/lead.ts';

/**
 * Returns a function that writes our form in Markdown: each label with the name and the hint of its field, links for programs that
 * send the fields, a link that fills it in, and who may agree. A translation gets no English words.
 */
export const formHandler =
	(isTranslation: boolean): Handle =>
	(state, node) => {
		const { method, action, dataConsentRule } = node.properties;
		const target = state.resolve(String(action));
		const links = linksFrom(new URL(target).origin);
		const operation = `\`${String(method).toUpperCase()} ${target}\` · [OpenAPI](${links.openapi}) · [auth.md](${links.authMd})`;
		const forPrograms = `Programs send these fields as JSON, as the [API reference](${links.apiReference}) says.`;
		const given = Object.entries(exampleLead(({ kind, required }) => kind === 'textarea' || (required && kind !== 'consent')));
		const filled = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
		const forPeople = `To hand a person this form filled in, put the fields behind its address, percent-encoded: \`${state.resolve(`#${filled}`)}\`. The person agrees, and sends it.`;
		const labels = [...elementsIn(node)].filter(({ tagName }) => tagName === 'label');
		return [
			{ type: 'list', ordered: false, spread: false, children: labels.map((label) => field(state, label, isTranslation)) },
			...[operation, ...(isTranslation ? [] : [forPrograms, forPeople]), String(dataConsentRule)].map(paragraph),
		];
	};

/** Keeps Markdown as it is, without escapes. */
const paragraph = (value: string): Paragraph => ({ type: 'paragraph', children: [{ type: 'html', value }] });

function field(state: State, label: Element, isTranslation: boolean): ListItem {
	const id = String(label.properties['htmlFor']);
	const { required, type, value } = state.elementById.get(id)?.properties ?? {};
	const need = required && !isTranslation ? ', required' : '';
	const only = type === 'checkbox' && value && !isTranslation ? String(value) : undefined;
	const hint = state.elementById.get(`${id}-hint`);
	const content: PhrasingContent[] = [
		{ type: 'strong', children: phrasing(state, label) },
		{ type: 'text', value: ': ' },
		// A box that adds to the message has the field's name: programs have no other member for it.
		{ type: 'inlineCode', value: id.split('-', 1)[0]! },
		{ type: 'text', value: only ? `${need}, always ` : need },
		...(only ? [{ type: 'inlineCode', value: only } as const] : []),
		{ type: 'text', value: '. ' },
		...(hint ? phrasing(state, hint) : []),
	];
	return { type: 'listItem', children: [{ type: 'paragraph', children: content }] };
}

const phrasing = (state: State, node: Element) => state.all(node) as PhrasingContent[];

/** Yields the elements inside, in the document's order, without those hidden from assistive technology. */
export function* elementsIn(node: Nodes): Generator<Element> {
	if (!('children' in node)) return;
	for (const child of node.children) {
		if (child.type !== 'element' || child.properties['ariaHidden'] === 'true') continue;
		yield child;
		yield* elementsIn(child);
	}
}
