import type { Element } from 'hast';
import type { State } from 'hast-util-to-mdast';
import type { Code, List, ListItem, Paragraph, PhrasingContent } from 'mdast';
import { rulesOf } from '../../discovery/field-rules.ts';
import { leadFields } from '../../lead/lead.ts';
import { linksFrom } from '../../service/links.ts';
import { elementsIn } from './elements.ts';

/** Our form in Markdown: its fields, and how a program sends them. */
export const form = (state: State, node: Element): [List, Paragraph] => [
	listOf([...fieldsIn(state, node, inEnglish), ...unseen()]),
	howToSend(state, node),
];

/** The same in another language: what the page says to people, and links to what is said to programs. */
export const translatedForm = (state: State, node: Element): [List, Paragraph] => [
	listOf(fieldsIn(state, node, withoutWords)),
	whereToSend(state, node),
];

const listOf = (children: ListItem[]): List => ({ type: 'list', ordered: false, spread: false, children });

/** What is said between the words of the page. */
interface Wording {
	/** The rules of a field, by its name, which they follow. */
	rules: (name: string) => string;
	/** What stands before the values of a choice. */
	oneOf: string;
}

const inEnglish: Wording = { rules: rulesOfField, oneOf: ', one of ' };
const withoutWords: Wording = { rules: () => '', oneOf: ': ' };

function fieldsIn(state: State, node: Element, wording: Wording): ListItem[] {
	const elements = [...elementsIn(node)];
	return elements
		.filter(
			({ tagName, properties: { type } }) =>
				['textarea', 'select', 'fieldset'].includes(tagName) || (tagName === 'input' && type !== 'hidden' && type !== 'radio'),
		)
		.map((element) => field(state, element, elements, wording));
}

/** Its label, its name and its rules, and the hint beside it (`src/site/field`). */
function field(state: State, element: Element, form: Element[], { rules, oneOf }: Wording): ListItem {
	const id = String(element.properties['id']);
	const labelOf = (id: unknown) => form.find(({ properties }) => String(properties['htmlFor']) === id);
	const legend = [...elementsIn(element)].find(({ tagName }) => tagName === 'legend');
	const options = [...elementsIn(element)].filter(({ properties }) => properties['value']);
	const words = [
		{ type: 'strong', children: phrasing(state, legend ?? labelOf(id)) },
		text(': '),
		code(id),
		text(rules(id)),
		...options.flatMap((option, index) =>
			[
				text(index === 0 ? oneOf : ', '),
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

function whereToSend(state: State, node: Element): Paragraph {
	const { operation, links } = targetOf(state, node);
	return { type: 'paragraph', children: [inMarkdown(`${operation} · [OpenAPI](${links.openapi}) · [auth.md](${links.authMd})`)] };
}

function howToSend(state: State, node: Element): Paragraph {
	const { operation, links } = targetOf(state, node);
	const sentences = [
		`Programs send these fields as JSON: ${operation}, described in the [API reference](${links.apiReference}) and in [OpenAPI](${links.openapi}).`,
		`Do so only for a person who has read the [privacy notice](${links.privacy}) and agrees; do not agree in their place.`,
		`What else agents should know is in [auth.md](${links.authMd}).`,
	];
	return { type: 'paragraph', children: [inMarkdown(sentences.join(' '))] };
}

function targetOf(state: State, { properties: { method, action } }: Element) {
	const target = state.resolve(String(action));
	return { operation: `\`${String(method).toUpperCase()} ${target}\``, links: linksFrom(new URL(target).origin) };
}

const phrasing = (state: State, node: Element | undefined) => (node ? (state.all(node) as PhrasingContent[]) : []);

const text = (value: string): PhrasingContent => ({ type: 'text', value });
const strong = (value: string): PhrasingContent => ({ type: 'strong', children: [text(value)] });
/** As it is written, and not as text that looks so. */
const inMarkdown = (value: string): PhrasingContent => ({ type: 'html', value });
const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value });
