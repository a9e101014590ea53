import * as z from 'zod';

const text = z.string().trim().min(1, { error: 'some words' });
const textWith = (name: string) => text.includes(`{${name}}`, { error: `words with {${name}} in them` });

/** The words around the documentation: `content/docs.yaml`. */
export const docsWordsSchema = z.strictObject({
	title: text.describe('Names the navigation, and the first of the breadcrumbs.'),
	outline: text.describe("Above the list of a page's headings."),
	breadcrumbs: text.describe('For screen readers: the pages above this one.'),
	turn: text.describe('For screen readers: both links at the end of a page.'),
	previous: text,
	next: text,
	edit: text.describe("The link that edits the page's file, where the facts have `editUrl`."),
	asText: text.describe(
		"For screen readers: the links to the page's Markdown and to the index for programs, and the button that copies the page.",
	),
	copyPage: text,
	copy: text.describe('The button on an example, and what it says afterwards.'),
	copied: text,
	search: z.strictObject({
		label: text.describe('For screen readers.'),
		field: text.describe('In the empty field.'),
		count: textWith('count'),
		nothing: textWith('words'),
		ask: text.describe('The link to the contact page, where nothing was found.'),
		failed: text.describe('Shown when the index did not load.'),
	}),
});

export type DocsWords = z.output<typeof docsWordsSchema>;
