import { defineCollection } from 'astro:content';
import type { Loader } from 'astro/loaders';
import { fileURLToPath } from 'node:url';
import { readPages } from './facts/files.ts';
import { guideSchema, pageSchema } from './facts/page.ts';

/**
 * Loads pages as an Astro collection. The check has reported mistakes: a page with mistakes keeps the entry that it had, because Astro
 * may lose an entry that is deleted and comes back while it saves.
 */
const pageLoader = (name: 'docs' | 'pages'): Loader => ({
	name,
	load({ config, store, watcher, generateDigest }) {
		const root = fileURLToPath(config.root);
		const load = () => {
			const pages = readPages(root, name);
			for (const id of store.keys()) if (!pages.some((page) => page.id === id)) store.delete(id);
			for (const { id, file, source, data } of pages)
				if (data)
					store.set({ id, data: { ...data }, filePath: file, digest: generateDigest({ source, data }), deferredRender: true });
		};
		load();
		for (const event of ['add', 'change', 'unlink']) watcher?.on(event, load);
		return Promise.resolve();
	},
});

export const collections = {
	/** The documentation: every MDX file is a page under /docs, named for its file. */
	docs: defineCollection({ loader: pageLoader('docs'), schema: guideSchema }),
	/** Single pages of prose, by name. */
	pages: defineCollection({ loader: pageLoader('pages'), schema: pageSchema }),
};
