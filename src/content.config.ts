import { defineCollection } from 'astro:content';
import { pageLoader } from './content-check/read/loader.ts';
import { docsSchema, pageSchema } from './facts/page.ts';
import { readDocs, readSinglePages } from './content-check/read/pages.ts';

export const collections = {
	/** The documentation: every MDX file is a page under /docs, named for its file. */
	docs: defineCollection({ loader: pageLoader('docs', readDocs), schema: docsSchema }),
	/** Single pages of prose, by name. */
	pages: defineCollection({ loader: pageLoader('pages', readSinglePages), schema: pageSchema }),
};
