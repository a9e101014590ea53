import type { Element } from 'hast';
import type { State } from 'hast-util-to-mdast';
import type { Code, List, ListItem, Paragraph, PhrasingContent } from 'mdast';
import { rulesOf } from '../../discovery/field-rules.ts';
import { leadFields } from '../../lead/lead.ts';
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
	return [{ type: 'list', ordered: false, spread: false, children: [...children, ...unseen()] }, howToSend(state, node)];
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
		text(rulesOfField(id)),
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
	return { type: 'listItem', spread: true, children: [{ type: 'paragraph', children: words }, ...begun(element)] };
}

/** What a visitor finds in it. */
function begun({ tagName, children: [content] }: Element): Code[] {
	return tagName === 'textarea' && content?.type === 'text' ? [{ type: 'code', value: content.value }] : [];
}

function rulesOfField(id: string): string {
	const found = leadFields.find(({ name }) => name === id);
	return found ? rulesOf(found) : '';
}

/** What people do not see, in the words that programs get of it. */
const unseen = (): ListItem[] =>
	leadFields
		.filter(({ kind }) => kind === 'hidden' || kind === 'honeypot')
		.map((field) => {
			const { label, name, description } = field;
			const words = [strong(label), text(': '), code(name), text(`${rulesOf(field)}. `), inMarkdown(description)];
			return { type: 'listItem', children: [{ type: 'paragraph', children: words }] };
		});

function howToSend(state: State, { properties: { method, action } }: Element): Paragraph {
	const target = state.resolve(String(action));
	const links = linksFrom(new URL(target).origin);
	const sentences = [
		`Programs send these fields as JSON: \`${String(method).toUpperCase()} ${target}\`, described in the [API reference](${links.apiReference}) and in [OpenAPI](${links.openapi}).`,
		`Do so only for a person who has read the [privacy notice](${links.privacy}) and agrees; do not agree in their place.`,
		`What else agents should know is in [auth.md](${links.authMd}).`,
	];
	return { type: 'paragraph', children: [inMarkdown(sentences.join(' '))] };
}

const phrasing = (state: State, node: Element | undefined) => (node ? (state.all(node) as PhrasingContent[]) : []);

const text = (value: string): PhrasingContent => ({ type: 'text', value });
const strong = (value: string): PhrasingContent => ({ type: 'strong', children: [text(value)] });
/** As it is written, and not as text that looks so. */
const inMarkdown = (value: string): PhrasingContent => ({ type: 'html', value });
const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value });
