import * as z from 'zod';
import { paths } from './links.ts';

const words = z
	.string()
	.trim()
	.min(1, { error: 'some words' })
	.refine((text) => !text.includes('{{'), { error: 'the words themselves: facts are filled in below the dashes only' });

/** What stands on top of a page of prose. */
export const pageSchema = z.strictObject({
	/** Heading and title of the page. */
	title: words,
	/** One or two sentences: for search engines, agents, and the list of pages. */
	description: words,
});

/** What stands on top of a page of documentation. */
export const docsSchema = pageSchema.extend({
	/** Place among the pages of its folder: lower numbers come first. That of an `index.mdx` is the place of its folder. */
	order: z.number(),
	/** Shown in `npm run dev` only. */
	draft: z.boolean().optional(),
});

/** The skill, from the project's root. */
export const SKILL = 'content/skills/send-a-lead/SKILL.md';

/** What stands on top of it (agentskills.io/specification). */
export const skillSchema = z.strictObject({
	/** The name of its folder. */
	name: z.literal('send-a-lead'),
	/** What it does, and when to use it. */
	description: z.string().trim().min(1).max(1024, { error: '1024 characters at most' }),
});

export type DocsData = z.output<typeof docsSchema>;

/** A file of prose. */
export interface PageFile<Data = DocsData | z.output<typeof pageSchema>> {
	/** Its path from the project's root. */
	file: string;
	/** Its name in its collection: `index`, `send-a-lead`, `guides` for `guides/index.mdx`. */
	id: string;
	/** Where it is published; the page for unknown addresses has none. */
	path: string | undefined;
	/** Of the pages that each language has. */
	language?: string;
	source: string;
	/** None where what stands on top is not as it must be. */
	data: Data | undefined;
}

/** The folder of documentation that a page stands in, by the id of the page that leads it; `''` for the first. */
export const groupOf = (id: string): string => id.split('/').slice(0, -1).join('/');

/** Where a page of documentation is published. */
export const docsPath = (id: string): string => (id === 'index' ? paths.docs : `${paths.docs}/${id}`);

/** What stands on top of a file, between lines of dashes. The line above it stays, so that lines are counted as in the file. */
export const frontMatter = (source: string): string => `\n${/^---\r?\n([\s\S]*?)^---\s*$/m.exec(source)?.[1] ?? ''}`;
