import { optionalFacts } from '../../facts/facts.ts';
import { topics } from '../../facts/links.ts';
import type { ComponentName } from '../../site/prose.ts';
import { suggestionFor, type Mistake } from '../../facts/mistake.ts';
import { states } from '../../facts/states.ts';
import type { Prose, Tag } from '../read/prose.ts';
import type { Site } from '../read/site.ts';

/** Says what to write in place of an attribute's value, or returns undefined if the value is right. */
interface Rule {
	(value: string, site: Site): string | undefined;
	/** A component needs at least one of its alternative attributes. */
	alternative?: true;
	/** A component can do without it. */
	optional?: true;
}

const alternative = (rule: Rule): Rule => Object.assign(rule, { alternative: true as const });

const oneOf = (value: string, values: readonly string[]) => (values.includes(value) ? undefined : suggestionFor(value, values));

const words: Rule = (value) => {
	if (value.trim() === '') return 'words between the quotes';
	return value.includes('{{') ? 'the words themselves: facts stand in the text, not in attributes' : undefined;
};

/** The components that MDX need not import, with their attributes: required, or alternatives. */
const components = {
	Action: { topic: Object.assign((value: string) => oneOf(value, topics), { optional: true as const }) },
	Aside: { kind: (value) => oneOf(value, ['note', 'warning']) },
	Call: { caption: words },
	Cards: {},
	Closing: {},
	CollectedFields: {},
	Fact: { name: (value, { facts }) => facts && oneOf(value, Object.keys(facts)) },
	Figure: {},
	Hero: {},
	Link: {
		to: (value, { facts }) =>
			facts &&
			oneOf(
				value,
				Object.keys(facts).filter((name) => /^(path|link|email|phone)\./.test(name)),
			),
	},
	Question: { title: words },
	Questions: {},
	Recording: { transcript: words },
	Slip: { caption: words },
	Steps: {},
	Strip: {},
	Tab: { title: words },
	Tabs: { label: words },
	When: {
		...Object.fromEntries(Object.entries(states).map(([name, all]) => [name, alternative((value) => oneOf(value, all))])),
		given: alternative((value) => oneOf(value, Object.keys(optionalFacts))),
	},
} satisfies Record<ComponentName, Record<string, Rule>>;

const rules: Record<string, Record<string, Rule>> = components;
const names = Object.keys(components);

/** The attributes that hold words of the page. */
export const wordAttributes = new Set(
	Object.values(rules).flatMap((own) => Object.keys(own).filter((attribute) => own[attribute] === words)),
);

/** Finds components that do not exist, and attributes that are missing or wrong. */
export function* componentMistakes({ tags, names: imported }: Prose, site: Site): Generator<Mistake> {
	for (const tag of tags.filter(({ written, name }) => written && !imported.has(name.split('.', 1)[0]!))) {
		const meant = names.find((name) => name.toLowerCase() === tag.name);
		if (tag.name in components) yield* attributeMistakes(tag, site);
		else if (meant !== undefined || /^[A-Z]/.test(tag.name))
			yield {
				line: tag.line,
				found: `the component <${tag.name}>`,
				wanted: suggestionFor(meant ?? tag.name, names),
			};
	}
}

function* attributeMistakes({ name, attributes, line }: Tag, site: Site): Generator<Mistake> {
	for (const [attribute, rule] of Object.entries(rules[name]!)) {
		const value = attributes.get(attribute);
		if (value === undefined && !rule.optional && !(rule.alternative && attributes.size > 0))
			yield { line, found: `<${name}> without ${attribute} in quotes`, wanted: `<${name} ${attribute}="…">` };
		const wanted = value === undefined ? undefined : rule(value, site);
		if (wanted !== undefined) yield { line, found: `<${name} ${attribute}="${value}">`, wanted };
	}
	for (const attribute of attributes.keys())
		if (attribute !== 'slot' && !(attribute in rules[name]!))
			yield {
				line,
				found: `<${name} ${attribute}="…">`,
				wanted: `no such attribute: ${name} knows ${Object.keys(rules[name]!).join(', ') || 'none'}`,
			};
}
