import * as z from 'zod';

const text = z.string().trim().min(1, { error: 'some words' });
const textWith = (name: string) => text.includes(`{${name}}`, { error: `words with {${name}} in them` });

/** The words around the documentation: `content/docs.yaml`. */
export const docsWordsSchema = z.strictObject({
	/** Names the navigation, and the first of the breadcrumbs. */
	title: text,
	/** Above the list of a page's headings. */
	outline: text,
	/** For screen readers: the pages above this one. */
	breadcrumbs: text,
	/** For screen readers: both links at the end of a page. */
	turn: text,
	previous: text,
	next: text,
	/** The link that edits the page's file, where the facts have `editUrl`. */
	edit: text,
	updated: textWith('date'),
	/** For screen readers: the link to the page's Markdown, and the button that copies it. */
	asText: text,
	copyPage: text,
	/** The button on an example, and what it says afterwards. */
	copy: text,
	copied: text,
	search: z.strictObject({
		/** For screen readers. */
		label: text,
		/** In the empty field. */
		field: text,
		count: textWith('count'),
		nothing: textWith('words'),
		/** The link to the contact page, where nothing was found. */
		ask: text,
		/** Shown when the index did not load. */
		failed: text,
	}),
});

export type DocsWords = z.output<typeof docsWordsSchema>;
