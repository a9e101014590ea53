import type { IncomingMessage } from 'node:http';
import { escapeHTML } from 'astro/runtime/server/index.js';
import type { Plugin } from 'vite';
import { markdownOf, type MarkdownPage, searchIndex, withIndex } from '../../adapter/markdown/page.ts';
import { prefersMarkdown } from '../../server/files/prefers-markdown.ts';
import { paths } from '../../facts/links.ts';
import { docsPath } from '../../facts/page.ts';
import { readDocs } from '../read/pages.ts';

/** Serves Markdown and search index in development, made from HTML as in a build, and shows text files as pages that reload. */
export const serveMarkdown: Plugin = {
	name: 'serve-markdown',
	configureServer({ config: { root }, middlewares }) {
		middlewares.use((request, response, next) => {
			void answerTo(request, root).then((answer) => {
				if (answer === undefined) return next();
				response.writeHead(200, { 'content-type': answer.type, vary: 'Accept' }).end(answer.body);
			}, next);
		});
	},
};

/** Paths with a route of their own, such as `/auth.md`: the Markdown at other paths is made from a page. */
const fixedPaths = new Set<string>(Object.values(paths));

async function answerTo(request: IncomingMessage, root: string) {
	const { pathname } = new URL(request.url!, 'http://localhost');
	if (pathname === paths.searchIndex) return { type: 'application/json', body: searchIndex(await docsPages(root, request)) };
	const isShown = request.headers['sec-fetch-dest'] === 'document';
	if (isShown && /\.(md|txt)$/.test(pathname)) return textFor(pathname, request);
	if (pathname.endsWith('.md') && !fixedPaths.has(pathname))
		return markdownAt(pathname.replace(/^\/index\.md$|\.md$/, '') || '/', request);
	return request.method === 'GET' && prefersMarkdown(request) ? markdownAt(pathname, request) : undefined;
}

async function markdownAt(path: string, request: IncomingMessage) {
	const page = await pageAt(path, request);
	return page && { type: 'text/markdown; charset=utf-8', body: withIndex(page) };
}

async function docsPages(root: string, request: IncomingMessage): Promise<MarkdownPage[]> {
	const pages = await Promise.all(readDocs(root).map(({ id }) => pageAt(docsPath(id), request)));
	return pages.filter((page) => page !== undefined);
}

const pageAt = async (path: string, request: IncomingMessage) => markdownOf(await (await ask(path, 'text/html', request)).text());

async function textFor(path: string, request: IncomingMessage) {
	const answer = await ask(path, '*/*', request);
	if (!answer.ok) return undefined;
	return { type: 'text/html; charset=utf-8', body: developmentPage(path, `<pre>${escapeHTML(await answer.text())}</pre>`) };
}

/** Sends another request to this server. */
export const ask = (path: string, accept: string, { headers }: IncomingMessage) =>
	fetch(`http://${headers.host}${path}`, { headers: { accept } });

/** Returns a page of `npm run dev` that does not belong to the site. It reloads with each change, as all pages do. */
export const developmentPage = (title: string, body: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escapeHTML(title)}</title>
<script type="module" src="/@vite/client"></script>
<style>
body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.5 system-ui, sans-serif }
li { margin: 1rem 0; overflow-wrap: anywhere }
pre { font: 0.9rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
${body}
</html>`;
