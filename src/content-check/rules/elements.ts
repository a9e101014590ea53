import type { Mistake } from '../../facts/mistake.ts';
import type { Prose, Tag } from '../read/prose.ts';

/** Elements that bring code, style or other pages. The policy of our pages blocks most of them (src/server/http/security-headers.ts). */
const forbiddenElements = /^(audio|base|embed|frame|iframe|link|meta|object|script|style|video)$/;
const inline = /^(on.+|style)$/i;
const loading = /^(action|background|formaction|(xlink:)?href|poster|src|srcset)$/i;
const otherSite = /(^|[\s,])([a-z][a-z0-9+.-]*:)?\/\//i;

/** Finds elements and attributes that bring code or style into a page, or load from other sites. */
export function* elementMistakes({ tags }: Prose): Generator<Mistake> {
	for (const tag of tags.filter(({ written, name }) => written && /^[a-z]/.test(name))) {
		const { name, line } = tag;
		if (forbiddenElements.test(name))
			yield {
				line,
				found: `<${name}>`,
				wanted: 'a link in its place, or nothing: pages load nothing from other sites, and bring no code or style',
			};
		else yield* attributeMistakes(tag);
	}
}

function* attributeMistakes({ name, attributes, line }: Tag): Generator<Mistake> {
	for (const [attribute, value = ''] of attributes) {
		const found = `<${name} ${attribute}="${value}">`;
		if (inline.test(attribute)) yield { line, found, wanted: `no ${attribute}: pages bring no code or style` };
		else if (loading.test(attribute) && !hasOwnRule(name, attribute) && otherSite.test(value))
			yield { line, found, wanted: 'a file of ours: pages load nothing from other sites' };
	}
}

/** Links load nothing, and the rule for images checks their sources. */
const hasOwnRule = (name: string, attribute: string) => name === 'a' || (name === 'img' && attribute === 'src');
