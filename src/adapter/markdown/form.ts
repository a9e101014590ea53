import type { Element, Nodes } from 'hast';
import type { Handle, State } from 'hast-util-to-mdast';
import type { ListItem, Paragraph, PhrasingContent } from 'mdast';
import { API_ACCESS, linksFrom } from '../../facts/links.ts';
import { exampleLead, leadFields } from '../../lead/lead.ts';

/**
 * Writes our form in Markdown: each label with the name and the hint of its field, how a program sends them, a link that fills it in,
 * and who may agree. What is for programs is in English on every page, as their documents are.
 */
export const formHandler: Handle = (state, node) => {
	const { method, action, dataConsentRule } = node.properties;
	const target = state.resolve(String(action));
	const links = linksFrom(new URL(target).origin);
	const elements = [...elementsIn(node)];
	const labels = elements.filter(({ tagName }) => tagName === 'label');
	const scopes = labels.flatMap((label) => namesOf(label)[1] ?? []);
	const isRequest = elements.some(({ properties }) => properties['name'] === 'source' && properties['value'] === API_ACCESS);
	const rest = isRequest
		? `, with \`"source": "${API_ACCESS}"\`. \`message\` begins with a line such as \`Scopes: ${scopes.join(', ')}\`, and says what the program does.`
		: '.';
	const given = exampleLead(({ kind, required }) => (kind === 'textarea' ? !isRequest : required && kind !== 'consent'));
	const filled = Object.entries(given).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	return [
		{ type: 'list', ordered: false, spread: false, children: labels.map((label) => field(state, label)) },
		...[
			`\`${String(method).toUpperCase()} ${target}\` · [OpenAPI](${links.openapi}) · [auth.md](${links.authMd})`,
			`Programs send these fields as JSON, as the [API reference](${links.apiReference}) says${rest}`,
			`To hand a person this form filled in, put the fields behind its address, percent-encoded: \`${state.resolve(`#${filled.join('&')}`)}\`. That needs JavaScript. The person agrees, and sends it.`,
			String(dataConsentRule),
		].map(paragraph),
	];
};

/** Keeps Markdown as it is, without escapes. */
const asIs = (value: string): PhrasingContent => ({ type: 'html', value });

const paragraph = (value: string): Paragraph => ({ type: 'paragraph', children: [asIs(value)] });

const namesOf = ({ properties }: Element) => String(properties['htmlFor']).split(/-(.*)/) as [field: string, box?: string];

function field(state: State, label: Element): ListItem {
	const [name, box] = namesOf(label);
	const { required, kind } = leadFields.find((one) => one.name === name) ?? {};
	const hint = state.elementById.get(`${String(label.properties['htmlFor'])}-hint`);
	const rules = box ? ', in its first line' : `${required ? ', required' : ''}${kind === 'consent' ? ', always `on`' : ''}`;
	const options = [...elementsIn(state.elementById.get(name)!)].filter(({ properties }) => properties['value']);
	const choices = options.flatMap((option, index) => {
		const before = `${index === 0 ? ', one of' : ','} \`${String(option.properties['value'])}\` (`;
		return [asIs(before)].concat(phrasing(state, option), asIs(')'));
	});
	const content: PhrasingContent[] = [
		{ type: 'strong', children: phrasing(state, label) },
		asIs(`: \`${name}\`${rules}`),
		...choices,
		asIs(hint ? '. ' : '.'),
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
