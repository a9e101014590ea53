import { markdownPath, paths } from '../facts/links.ts';
import type { Source } from './source.ts';

/**
 * `/llms-full.txt`: the start page and the documentation in one file. The build makes Markdown from built pages, so this only
 * marks their places, and the build fills them later ({@link fillPages}).
 */
export function llmsFullTxt({ service, links, pages }: Source): string {
	const chosen = pages.filter(({ path, isDetail }) => path === paths.home || (path.startsWith(paths.docs) && !isDetail));
	return `# ${service.name}

> The start page and the documentation, one page after another. An index of all there is: ${links.llmsTxt}
${chosen.map(({ path }) => `\n<!-- page: ${markdownPath(path)} -->\n`).join('')}`;
}

/** Puts each page in its marked place. */
export const fillPages = (text: string, pageAt: (path: string) => string): string =>
	text.replace(/<!-- page: (\S+) -->\n/g, (_, path: string) => pageAt(path));
