import type { Mistake } from '../../facts/mistake.ts';

/** The placeholders in single braces that each place of a file allows. */
const placeholders: [place: RegExp, names: string[]][] = [
	[/^errors\./, ['label', 'max', 'character']],
	[/^invalidLead\.errors\./, ['member', 'max', 'character']],
	[/^errorTitle$/, ['title']],
	[/^confirmation\.text$/, ['answer', 'booking']],
	[/^confirmation\.booking$/, ['url']],
	[/^next\.steps\b/, ['email']],
	[/^next\.answer\.\w+$/, ['count']],
	[/^team\.(accessRequest|lead)$/, ['who']],
	[/^team\.agreed$/, ['version']],
	[/^team\.byCommand$/, ['command']],
	[/^team\.withKey$/, ['owner', 'key']],
	[/^notices\.limited\.text$/, ['email', 'when']],
	[/^notices\.\w+\.text$/, ['email']],
];

/** Finds placeholders that nothing fills in. */
export function* placeholderMistakes(field: string, text: string): Generator<Mistake> {
	const [, known = []] = placeholders.find(([pattern]) => pattern.test(field)) ?? [];
	const wanted = known.map((name) => `{${name}}`);
	for (const found of bracesIn(text))
		if (!found.startsWith('{{') && !wanted.includes(found)) yield { found, wanted: wanted.join(' or ') || 'no braces here' };
}

/** Only facts may have spaces inside their braces. */
export const bracesIn = (text: string): string[] =>
	[...new Set(text.match(/\{\{[^{}]*\}\}|\{[^{}]*\}/g))].map((name) => (name.startsWith('{{') ? name.replaceAll(' ', '') : name));
