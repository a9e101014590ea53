import type { Element } from 'hast';
import type { State } from 'hast-util-to-mdast';
import type { List, ListItem, Paragraph, PhrasingContent } from 'mdast';
import type { FieldKind } from '../../lead/field.ts';
import { type LeadField, leadFields } from '../../lead/lead.ts';
import { linksFrom } from '../../service/links.ts';
import { elementsIn } from './elements.ts';

/** Our form in Markdown: its fields, and how a program sends them. */
export function form(state: State, node: Element): [List, Paragraph] {
	const elements = [...elementsIn(node)];
	const fields = elements.filter(
		({ tagName, properties: { type } }) =>
			['textarea', 'select', 'fieldset'].includes(tagName) || (tagName === 'input' && type !== 'hidden' && type !== 'radio'),
	);
	const children = fields.map((element) => field(state, element, elements));
	return [{ type: 'list', ordered: false, spread: false, children }, howToSend(state, node)];
}

/** Its label, its name and its rules, and the hint beside it (`src/site/field`). */
function field(state: State, element: Element, form: Element[]): ListItem {
	const id = String(element.properties['id']);
	const labelOf = (id: unknown) => form.find(({ properties }) => String(properties['htmlFor']) === id);
	const legend = [...elementsIn(element)].find(({ tagName }) => tagName === 'legend');
	const options = [...elementsIn(element)].filter(({ properties }) => properties['value']);
	const words = [
		{ type: 'strong', children: phrasing(state, legend ?? labelOf(id)) },
		text(': '),
		code(id),
		text(rulesOf(id)),
		...options.flatMap((option, index) =>
			[
				text(index === 0 ? ', one of ' : ', '),
				code(String(option.properties['value'])),
				text(' ('),
				phrasing(state, labelOf(option.properties['id']) ?? option),
				text(')'),
			].flat(),
		),
		text('. '),
		...phrasing(state, state.elementById.get(`${id}-hint`)),
	] satisfies PhrasingContent[];
	return { type: 'listItem', children: [{ type: 'paragraph', children: words }] };
}

function rulesOf(id: string): string {
	const found = leadFields.find(({ name }) => name === id);
	return found ? [found.required && ', required', rules[found.kind](found)].filter(Boolean).join('') : '';
}

const length: Rule = ({ maxLength }) => `, at most ${maxLength} characters`;
const none: Rule = () => '';
const on: Rule = () => ', with the value "on"';

type Rule = (field: LeadField) => string;

/** What a value must be. The options of a choice follow in the words of the page. */
const rules = {
	text: length,
	email: length,
	tel: length,
	textarea: length,
	number: ({ min, max }) => `, a whole number from ${min} to ${max}`,
	select: none,
	radios: none,
	checkbox: on,
	consent: on,
	hidden: length,
	honeypot: none,
} satisfies Record<FieldKind, Rule>;

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
