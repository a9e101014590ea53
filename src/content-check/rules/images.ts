import { existsSync } from 'node:fs';
import path from 'node:path';
import { suggestionFor, type Mistake } from '../../facts/mistake.ts';
import { imageFile } from '../read/files.ts';
import type { Prose, Tag } from '../read/prose.ts';
import type { Site } from '../read/site.ts';
import { decoded } from './links.ts';

/** Finds images that are missing, come from another site, or lack an alternative text. */
export function* imageMistakes(file: string, { tags }: Prose, site: Site): Generator<Mistake> {
	for (const tag of tags.filter(({ name }) => name === 'img')) {
		const { line, attributes } = tag;
		const src = decoded(attributes.get('src') ?? '');
		const found = `the image ${src || 'without src'}`;
		const wanted = wantedSource(src, tag, file, site);
		if (wanted !== undefined) yield { line, found, wanted };
		if (!(tag.written ? attributes.has('alt') : attributes.get('alt')))
			yield {
				line,
				found: `${found} without words`,
				wanted: `![what it shows](${src}), or <img src="/…" alt="" /> where it only decorates`,
			};
	}
}

function wantedSource(src: string, { written }: Tag, file: string, { root, publicPaths }: Site): string | undefined {
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(src)) return 'an image of ours: pages load nothing from other sites';
	if (src.startsWith('/')) return publicPaths.includes(src) ? undefined : `a file of public/, ${suggestionFor(src, publicPaths)}`;
	const beside = path.posix.join(path.posix.dirname(file), src);
	if (written)
		return `![what it shows](./${src.replace(/^\.\//, '')}) for an image beside the page, or /${path.basename(src)} for one in public/`;
	if (!imageFile.test(src)) return 'an image: avif, gif, jpg, png, svg, tiff or webp';
	return existsSync(path.join(root, beside)) ? undefined : `a file that exists: put it at ${beside}, or correct the name`;
}
