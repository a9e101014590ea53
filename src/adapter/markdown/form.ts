import type { Element } from 'hast';
import type { State } from 'hast-util-to-mdast';
import type { Code, List, ListItem, Paragraph, PhrasingContent } from 'mdast';
import { rulesOf } from '../../discovery/field-rules.ts';
import { leadFields } from '../../lead/lead.ts';
import { type Links, linksFrom } from '../../facts/links.ts';
import { elementsIn } from './elements.ts';

/** Sentences for programs, around the words of the page. */
interface Wording {
	/** Returns the rules of a field, to follow its name. */
	rules: (name: string) => string;
	/** Introduces the values of a choice. */
	oneOf: string;
	/** Returns the fields that people do not see. */
	hiddenFields: () => ListItem[];
	/** Says in Markdown how to send the fields. */
	sending: (operation: string, links: Links) => string;
}

/** Writes our form in Markdown: its fields, and how a program sends them. */
export const form = formIn({ rules: rulesOfField, oneOf: ', one of ', hiddenFields, sending: howToSend });

/** Writes it in another language: the words of the page only, with links to the documents for programs. */
export const translatedForm = formIn({ rules: () => '', oneOf: ': ', hiddenFields: () => [], sending: whereToSend });

function formIn(wording: Wording) {
	return (state: State, node: Element): [List, Paragraph] => {
		const { method, action } = node.properties;
		const target = state.resolve(String(action));
		const sending = wording.sending(`\`${String(method).toUpperCase()} ${target}\``, linksFrom(new URL(target).origin));
		return [
			{ type: 'list', ordered: false, spread: false, children: [...fieldsIn(state, node, wording), ...wording.hiddenFields()] },
			{ type: 'paragraph', children: [inMarkdown(sending)] },
		];
	};
}

function fieldsIn(state: State, node: Element, wording: Wording): ListItem[] {
	const elements = [...elementsIn(node)];
	return elements
		.filter(
			({ tagName, properties: { type } }) =>
				['textarea', 'select', 'fieldset'].includes(tagName) || (tagName === 'input' && type !== 'hidden' && type !== 'radio'),
		)
		.map((element) => field(state, element, elements, wording));
}

/** Writes a field's label, name, rules and hint (`src/site/field`). */
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
	return { type: 'listItem', spread: true, children: [{ type: 'paragraph', children: words }, ...prefilledText(element)] };
}

/** Returns the text that a field starts with. */
function prefilledText({ tagName, children: [content] }: Element): Code[] {
	return tagName === 'textarea' && content?.type === 'text' ? [{ type: 'code', value: content.value }] : [];
}

function rulesOfField(id: string): string {
	const found = leadFields.find(({ name }) => name === id);
	return found ? rulesOf(found) : '';
}

/** Returns the fields that people do not see, in the words of the API reference. */
function hiddenFields(): ListItem[] {
	const fields = leadFields.filter(({ kind }) => kind === 'hidden' || kind === 'honeypot');
	return fields.map((field) => {
		const { label, name, description } = field;
		const words = [strong(label), text(': '), code(name), text(`${rulesOf(field)}. `), inMarkdown(description)];
		return { type: 'listItem', children: [{ type: 'paragraph', children: words }] };
	});
}

function whereToSend(operation: string, { openapi, authMd }: Links): string {
	return `${operation} · [OpenAPI](${openapi}) · [auth.md](${authMd})`;
}

function howToSend(operation: string, { apiReference, openapi, privacy, authMd }: Links): string {
	return [
		`Programs send these fields as JSON: ${operation}, described in the [API reference](${apiReference}) and in [OpenAPI](${openapi}).`,
		`Do so only for a person who has read the [privacy notice](${privacy}) and agrees; do not agree in their place.`,
		`[auth.md](${authMd}) says what else agents should know.`,
	].join(' ');
}

const phrasing = (state: State, node: Element | undefined) => (node ? (state.all(node) as PhrasingContent[]) : []);

const text = (value: string): PhrasingContent => ({ type: 'text', value });
const strong = (value: string): PhrasingContent => ({ type: 'strong', children: [text(value)] });
/** Keeps Markdown as it is, without escapes. */
const inMarkdown = (value: string): PhrasingContent => ({ type: 'html', value });
const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value });
