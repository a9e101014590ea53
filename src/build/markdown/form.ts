import type { Element } from 'hast';
import type { State } from 'hast-util-to-mdast';
import type { List, ListItem, Paragraph, PhrasingContent } from 'mdast';
import { linksFrom } from '../../service/links.ts';
import { elementsIn } from './elements.ts';

/** Our form in Markdown: its fields, and how a program sends them. */
export function form(state: State, node: Element): [List, Paragraph] {
	const elements = [...elementsIn(node)];
	const controls = elements.filter(
		({ tagName, properties }) => ['input', 'textarea', 'select'].includes(tagName) && properties['type'] !== 'hidden',
	);
	const labelOf = (id: unknown) =>
		elements.find(({ tagName, properties }) => tagName === 'label' && String(properties['htmlFor']) === id);
	const children = controls.map((control) => field(state, control, labelOf(control.properties['id'])));
	return [{ type: 'list', ordered: false, spread: false, children }, howToSend(state, node)];
}

/** Its label, its name and its rules, and the hint beside it (`Field.astro`). */
function field(state: State, { properties }: Element, label: Element | undefined): ListItem {
	const { name, type, value, maxLength, required, id } = properties;
	const hint = state.elementById.get(`${String(id)}-hint`);
	const rules = [
		required && ', required',
		maxLength !== undefined && `, at most ${String(maxLength)} characters`,
		type === 'checkbox' && `, with the value ${JSON.stringify(value)}`,
		'. ',
	];
	const words = [
		{ type: 'strong', children: phrasing(state, label) },
		text(': '),
		code(String(name)),
		text(rules.filter(Boolean).join('')),
		...phrasing(state, hint),
	] satisfies PhrasingContent[];
	return { type: 'listItem', children: [{ type: 'paragraph', children: words }] };
}

function howToSend(state: State, { properties: { method, action } }: Element): Paragraph {
	const target = state.resolve(String(action));
	const links = linksFrom(new URL(target).origin);
	return {
		type: 'paragraph',
		children: [
			text('Programs send these fields as JSON: '),
			code(`${String(method).toUpperCase()} ${target}`),
			text(', described in the '),
			link(links.apiReference, 'API reference'),
			text(' and in '),
			link(links.openapi, 'OpenAPI'),
			text('. Do so only for a person who has read the '),
			link(links.privacy, 'privacy notice'),
			text(' and agrees; do not agree in their place. What else agents should know is in '),
			link(links.authMd, 'auth.md'),
			text('.'),
		],
	};
}

const phrasing = (state: State, node: Element | undefined) => (node ? (state.all(node) as PhrasingContent[]) : []);

const text = (value: string): PhrasingContent => ({ type: 'text', value });
const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value });
const link = (url: string, label: string): PhrasingContent => ({ type: 'link', url, children: [text(label)] });
