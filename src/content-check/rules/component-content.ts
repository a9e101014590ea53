import { slug } from 'github-slugger';
import type { Mistake } from '../../facts/mistake.ts';
import type { Prose, Tag } from '../read/prose.ts';

/** The content that a component needs, and whether a given one is right. */
interface Rule {
	isRight(inside: Tag[], text: string): boolean;
	wanted: string;
}

/** Components that need certain content. */
const rules: Record<string, Rule | undefined> = {
	Aside: { isRight: (inside, text) => inside.length > 0 || text.trim() !== '', wanted: 'the words to show' },
	Cards: { isRight: (inside) => isOne(inside, /^[uo]l$/), wanted: 'a list alone, an entry for each card' },
	Figure: {
		isRight: ([image, ...caption]) => image?.text.trim() === '' && isOne(image.inside, /^img$/) && caption.length > 0,
		wanted: 'an image, ![what it shows](./file.png), an empty line, and the words below the image',
	},
	Steps: { isRight: (inside) => isOne(inside, /^ol$/), wanted: 'a list alone whose entries begin with 1., 2., and so on' },
	Tabs: {
		isRight: (inside) => inside.length > 0 && inside.every(({ name }) => name === 'Tab'),
		wanted: 'a <Tab title="…"> around each part',
	},
};

const isOne = (inside: Tag[], name: RegExp) => inside.length === 1 && name.test(inside[0]!.name);

/** Finds components with content that they cannot show, and groups of tabs that share a name. */
export function* componentContentMistakes({ tags, imported }: Prose): Generator<Mistake> {
	const ours = tags.filter(({ written, name }) => written && !imported.has(name));
	for (const tag of ours) {
		const rule = rules[tag.name];
		if (rule && !rule.isRight(shownIn(tag), tag.text))
			yield { line: tag.line, found: `<${tag.name}> around ${listTags(shownIn(tag))}`, wanted: rule.wanted };
	}
	yield* tabMistakes(ours);
}

function* tabMistakes(tags: Tag[]): Generator<Mistake> {
	const groups = tags.filter(({ name }) => name === 'Tabs');
	for (const [index, { line, attributes }] of groups.entries()) {
		const label = attributes.get('label') ?? '';
		if (groups.slice(0, index).some((other) => slug(other.attributes.get('label') ?? '') === slug(label)))
			yield { line, found: `<Tabs label="${label}"> again`, wanted: 'another label: tabs of one label close each other' };
	}
}

/** Returns the tags inside, and those inside any `<When>`. */
const shownIn = ({ inside }: Tag): Tag[] => inside.flatMap((tag) => (tag.name === 'When' ? shownIn(tag) : [tag]));

const words: Record<string, string | undefined> = { img: 'an image', ol: 'numbered lines', p: 'text', ul: 'a list' };

const listTags = (inside: Tag[]) => inside.map(({ name }) => words[name] ?? `<${name}>`).join(', ') || 'nothing';
