import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import * as z from 'zod';

const page = z.strictObject({
	/** Heading and title of the page. */
	title: z.string().min(1),
	/** One or two sentences: for search engines, agents, and the list of pages. */
	description: z.string().min(1),
});

export const collections = {
	/** The documentation: every MDX file is a page under /docs, named for its file. */
	docs: defineCollection({
		loader: glob({ pattern: '**/*.mdx', base: './content/docs' }),
		schema: page.extend({
			/** Place in the navigation: lower numbers come first. */
			order: z.number(),
		}),
	}),
	/** Single pages of prose, by name. */
	pages: defineCollection({ loader: glob({ pattern: '*.mdx', base: './content/pages' }), schema: page }),
};
