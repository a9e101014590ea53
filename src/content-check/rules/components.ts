import { topics } from '../../facts/links.ts';
import { suggestionFor, type Mistake } from '../../facts/mistake.ts';
import { boxKinds } from '../../facts/page.ts';
import type { Prose, Tag } from '../read/prose.ts';
import type { Content } from '../read/content.ts';

interface Rule {
	/** Its values; undefined while the facts have mistakes. Without this, its value is a text of the page. */
	values?(content: Content): readonly string[] | undefined;
	/** A component needs at least one of its alternative attributes. */
	alternative?: true;
	optional?: true;
}

const oneOf = (values: readonly string[], how: Partial<Rule> = {}): Rule => ({ values: () => values, ...how });
const text: Rule = {};
const optionalFact: Rule = { values: ({ optionalFacts }) => optionalFacts, alternative: true };

/** The components that MDX need not import, those in `src/site/prose`, with their attributes: required, or alternatives. */
export const components: Record<string, Record<string, Rule>> = {
	Action: { topic: oneOf(topics, { optional: true }) },
	Box: { kind: oneOf(boxKinds) },
	Call: { caption: text },
	CollectedFields: {},
	Fact: { name: { values: ({ facts }) => facts } },
	Figure: {},
	Hero: {},
	Hours: {},
	Link: { to: { values: ({ facts }) => facts?.filter((name) => /^(path|link|email|phone)\./.test(name)) } },
	Processors: { signed: text, unsigned: text },
	Question: { title: text },
	Recording: { label: text, transcript: text },
	Slip: { caption: text },
	Tab: { title: text },
	Tabs: { label: text },
	When: { keys: oneOf(['none', 'issued'], { alternative: true }), given: optionalFact, absent: optionalFact },
};

const componentNames = Object.keys(components);

/** Says what to write in place of an attribute's value, or returns undefined if the value is right. */
function wantedFor(value: string, rule: Rule, content: Content): string | undefined {
	const values = rule.values?.(content);
	if (values) return values.includes(value) ? undefined : suggestionFor(value, values);
	if (rule.values) return undefined;
	if (value.trim() === '') return 'words between the quotes';
	return value.includes('{{') ? 'the words themselves: facts go into the text, not into attributes' : undefined;
}

/** Finds components that do not exist, and attributes that are missing or wrong. */
export function* componentMistakes({ tags, imported }: Prose, content: Content): Generator<Mistake> {
	for (const tag of tags.filter(({ written, name }) => written && !imported.has(name))) {
		const meant = componentNames.find((name) => name.toLowerCase() === tag.name);
		if (tag.name in components) yield* attributeMistakes(tag, content);
		else if (meant !== undefined || /^[A-Z]/.test(tag.name)) {
			const example = content.pages.find(({ prose }) => prose.imported.has(tag.name));
			const wanted = example ? `its import, as in ${example.file}` : suggestionFor(meant ?? tag.name, componentNames);
			yield { line: tag.line, found: `the component <${tag.name}>`, wanted };
		}
	}
}

function* attributeMistakes({ name, attributes, line }: Tag, content: Content): Generator<Mistake> {
	const known = Object.keys(components[name]!);
	const unknown = [...attributes.keys()].filter((attribute) => attribute !== 'slot' && !known.includes(attribute));
	for (const attribute of unknown) {
		const meant = `an attribute of ${name}, ${suggestionFor(attribute, known)}`;
		yield { line, found: `<${name} ${attribute}="…">`, wanted: known.length === 0 ? `<${name}> without attributes` : meant };
	}
	for (const [attribute, rule] of Object.entries({ slot: slotRule, ...components[name] })) {
		const value = attributes.get(attribute);
		// An attribute that is misspelt is not missing as well.
		if (value === undefined && unknown.length === 0 && !rule.optional && !(rule.alternative && attributes.size > 0))
			yield { line, found: `<${name}> without ${attribute} in quotes`, wanted: `<${name} ${attribute}="…">` };
		const wanted = value === undefined ? undefined : wantedFor(value, rule, content);
		if (wanted !== undefined) yield { line, found: `<${name} ${attribute}="${value}">`, wanted };
	}
}

/** Components that need certain content, by name or kind: whether it is right, and the content to write in place of a wrong one. */
const contents: Record<string, [isRight: (inside: Tag[]) => boolean, wanted: string] | undefined> = {
	cards: [(inside) => isOne(inside, /^[uo]l$/), 'a list alone, an entry for each card'],
	Figure: [
		([image, ...caption]) => image?.text.trim() === '' && isOne(image.inside, /^img$/) && caption.length > 0,
		'an image, ![what it shows](./file.png), an empty line, and the words below the image',
	],
	steps: [(inside) => isOne(inside, /^ol$/), 'a list alone whose entries begin with 1., 2., and so on'],
	Tabs: [(inside) => inside.length > 0 && inside.every(({ name }) => name === 'Tab'), 'a <Tab title="…"> around each part'],
};

/** Components that show no words between their tags. */
const withoutWords = new Set(['Action', 'CollectedFields', 'Fact', 'Processors', 'Recording']);

/** The slots, by the components that have them. */
const slots = { example: 'Hero', outcome: 'Call' };
const slotRule = oneOf(Object.keys(slots), { optional: true });
/** The components outside of which a slot, or a component, shows nothing. It must be directly inside. */
const parents: Record<string, string | undefined> = { ...slots, Tab: 'Tabs' };

const isOne = (inside: Tag[], name: RegExp) => inside.length === 1 && name.test(inside[0]!.name);

/** Finds components with content that they cannot show, and what shows only inside another component. */
export function* componentContentMistakes({ tags, imported }: Prose): Generator<Mistake> {
	for (const tag of tags.filter(({ written, name }) => written && !imported.has(name))) {
		const { line, name, attributes } = tag;
		const [kind, slot] = [attributes.get('kind'), attributes.get('slot')];
		const [isRight, wanted = ''] = contents[kind ?? name] ?? [];
		if (isRight && !isRight(shownIn(tag)))
			yield { line, found: `other content in <${name}${kind ? ` kind="${kind}"` : ''}>`, wanted };
		if (withoutWords.has(name) && tag.text.trim() !== '')
			yield { line, found: `words in <${name}>`, wanted: `<${name} … /> alone: it has words of its own` };
		const parent = parents[slot ?? name];
		const isIn = (other: Tag) => (slot ? other.inside : shownIn(other)).includes(tag);
		if (parent && !tags.some((other) => other.name === parent && isIn(other)))
			yield { line, found: `<${name}${slot ? ` slot="${slot}"` : ''}>`, wanted: `it directly inside <${parent}>` };
	}
}

/** Returns the tags inside, and those inside any `<When>`. */
const shownIn = ({ inside }: Tag): Tag[] => inside.flatMap((tag) => (tag.name === 'When' ? shownIn(tag) : [tag]));
