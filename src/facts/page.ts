import * as z from 'zod';
import { paths } from './links.ts';

/** Words in a place that shows braces and HTML as they are. */
export const text = z
	.string()
	.trim()
	.min(1, { error: 'some words' })
	.refine((value) => !/\{\{|&(#\w+|[a-z]+);/i.test(value), { error: 'the words themselves: a page shows this as it is' });

/** The front matter of a page of prose. */
export const pageSchema = z.strictObject({
	title: text,
	/** One or two sentences: for search engines, agents, and the list of pages. */
	description: text,
	/** Words that the search finds although no page has them, by the anchor that explains them; `top` is the page itself. */
	keywords: z.record(z.string(), z.array(z.string({ error: 'words, in quotes if they look like a number' }))).optional(),
});

/** The front matter of a page of documentation. */
export const guideSchema = pageSchema.extend({
	/** Place among the pages of its folder: lower numbers come first. An `index.mdx` gives the place of its folder. */
	order: z.number(),
	/** The part of the documentation that begins with this page, as the navigation names it. */
	part: text.optional(),
	/** The day of a change that the page announces: the list of changes has the page. */
	date: z.iso.date({ error: 'a date such as 2026-11-01, in quotes' }).optional(),
});

/** The kinds of `<Box>`: `note` and `warning` are asides that readers must not overlook. `strip` is for other readers than the page. */
export const boxKinds = ['band', 'cards', 'closing', 'facts', 'note', 'questions', 'steps', 'strip', 'warning'] as const;

/** The texts for programs, from the project's root. */
export const AUTH = 'content/auth.mdx';
export const SKILL = 'content/skills/send-a-lead/SKILL.mdx';

/** The front matter of the skill (agentskills.io/specification). */
export const skillSchema = z.strictObject({
	/** The name of the skill's folder. */
	name: z.literal('send-a-lead'),
	description: z.string().trim().min(1).max(1024, { error: '1024 characters at most' }),
});

export type GuideData = z.output<typeof guideSchema>;

/** Returns the folder of a page of documentation, which is the id of the folder's `index.mdx`; `''` is the top folder. */
export const groupOf = (id: string): string => id.split('/').slice(0, -1).join('/');

/** Returns the published path of a page of documentation. */
export const guidePath = (id: string): string => (id === 'index' ? paths.docs : `${paths.docs}/${id}`);

/** Returns a file's front matter. An empty line in place of the dashes keeps the file's line numbers. */
export const frontMatter = (source: string): string => `\n${/^---[ \t]*\r?\n([\s\S]*?)^---\s*$/m.exec(source)?.[1] ?? ''}`;
