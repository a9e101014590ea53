import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ContentError } from '../service/content-error.ts';
import { parseContentFile } from '../service/content-file.ts';
import { factsOf } from '../service/facts.ts';
import { linksFrom, markdownPath, paths } from '../service/links.ts';
import { serviceSchema } from '../service/schema.ts';
import { componentMistakes } from './components.ts';
import { contactMistakes } from './contact.ts';
import { braceMistakes, factMistakes } from './facts.ts';
import { filesIn } from './files.ts';
import { fileMistakes, placeMistakes } from './folders.ts';
import { headingMistakes } from './headings.ts';
import { imageMistakes } from './images.ts';
import { type Anchor, linkMistakes } from './links.ts';
import { complaining, told } from '../service/mistake.ts';
import { parseProse } from './prose.ts';
import { readDocs, readProse } from './read-pages.ts';
import type { Site } from './site.ts';

/**
 * Checks everything in `content/` at once.
 *
 * @param root the project's folder
 * @param origin of the site, without a slash at the end
 * @returns the links whose targets only the built pages can tell of
 * @throws {ContentError} all mistakes, one a line
 */
export function checkContent(root: string, origin: string): Anchor[] {
	const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
	const service = parseContentFile('content/service.yaml', read('content/service.yaml'), serviceSchema);
	const messages = fileMistakes(root);
	const docs = readDocs(root, messages);
	const pages = [...docs, ...readProse(root, messages)].flatMap((page) => {
		const prose = complaining(messages, () => parseProse(page.file, page.source));
		return prose ? [{ ...page, prose }] : [];
	});
	const publicPaths = filesIn(root, 'public').map((file) => file.replace(/^public/, ''));
	const own = pages.flatMap(({ path }) => (path === undefined ? [] : [path, markdownPath(path)]));
	const site: Site = {
		root,
		origin,
		// What only one state of OAuth has is judged where it is shown.
		facts: { 'oauth.tokenEndpoint': '', ...factsOf(service, linksFrom(origin)) },
		pages,
		publicPaths,
		paths: [...new Set([...Object.values(paths), ...own, ...publicPaths])],
	};
	const anchors: Anchor[] = [];
	messages.push(
		...placeMistakes(docs),
		...contactMistakes(site),
		...pages.flatMap((page) => [...pageMistakes(page, site, anchors)]),
	);
	messages.push(...[...factMistakes(read('content/auth.md'), site)].map((mistake) => told('content/auth.md', mistake)));
	if (messages.length > 0) throw new ContentError(messages);
	return anchors;
}

function* pageMistakes(
	{ file, path: from = '/404', prose }: Site['pages'][number],
	site: Site,
	anchors: Anchor[],
): Generator<string> {
	const mistakes = [
		...headingMistakes(prose, from === paths.home ? 0 : 1),
		...componentMistakes(prose, site),
		...braceMistakes(prose, site),
		...imageMistakes(file, prose, site),
		...linkMistakes(file, from, prose.tags, site, anchors),
	];
	for (const mistake of mistakes.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))) yield told(file, mistake);
}
