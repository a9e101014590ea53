import type { Loader } from 'astro/loaders';
import { fileURLToPath } from 'node:url';
import type { PageFile } from '../../facts/page.ts';

/** Loads pages as an Astro collection, without those with mistakes, which the check has reported, and in a build without drafts. */
export const pageLoader = (name: string, readPages: (root: string) => PageFile[]): Loader => ({
	name,
	load({ config, store, watcher, generateDigest }) {
		const root = fileURLToPath(config.root);
		const load = () => {
			const pages = readPages(root).filter(({ data }) => data !== undefined && (watcher || !('draft' in data && data.draft)));
			for (const id of store.keys()) if (!pages.some((page) => page.id === id)) store.delete(id);
			for (const { id, file, source, data } of pages)
				store.set({ id, data: { ...data }, filePath: file, digest: generateDigest({ source, data }), deferredRender: true });
		};
		load();
		for (const event of ['add', 'change', 'unlink']) watcher?.on(event, load);
		return Promise.resolve();
	},
});
