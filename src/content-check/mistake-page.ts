import { escapeHTML } from 'astro/runtime/server/index.js';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Plugin } from 'vite';
import type { Findings } from './rules/translations.ts';

/** Astro saves the pages within this time. Requests wait for it: Vite would keep a page whose modules it loads meanwhile. */
const SAVE_TIME_MS = 1000;

/** In development, shows mistakes in place of every page until they are corrected, and on every page what is to be translated. */
export const mistakesFirst = (check: () => Findings): Plugin => ({
	name: 'mistakes-first',
	configureServer({ config: { root, logger }, middlewares, watcher, ws }) {
		const folders = ['content', 'public'].map((folder) => path.join(root, folder, path.sep));
		watcher.add(folders);
		let findings: { mistakes: string[]; toTranslate: string[] } | undefined;
		let saved = Promise.resolve();
		watcher.on('all', (_event, file) => {
			findings = undefined;
			if (!folders.some((folder) => file.startsWith(folder))) return;
			saved = setTimeout(SAVE_TIME_MS);
			ws.send({ type: 'full-reload' });
		});
		/** Checks once for each change: reading all pages takes longer than showing one. */
		const found = () => {
			if (findings) return findings;
			const { mistakes, untranslated, outdated } = check();
			const toTranslate = [...untranslated, ...outdated];
			if (mistakes.length > 0) logger.error(mistakes.join('\n'));
			if (toTranslate.length > 0) logger.warn(toTranslate.join('\n'));
			return (findings = { mistakes, toTranslate });
		};
		middlewares.use((_request, _response, next) => void saved.then(() => next()));
		middlewares.use((request, response, next) => {
			if (!request.headers.accept?.includes('text/html') || request.url?.startsWith(OPEN)) return next();
			const { mistakes, toTranslate } = found();
			const banner = toTranslate.length > 0 ? bannerOf(toTranslate) : '';
			if (mistakes.length > 0)
				return response.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(mistakes) + banner);
			if (banner) appendToPage(response, banner);
			next();
		});
	},
});

function appendToPage(response: ServerResponse, html: string): void {
	const { end } = response;
	// Node remembers the headers of an answer only if one is set before.
	response.setHeader('cache-control', 'no-store');
	response.end = (...body: unknown[]) => {
		const isPage = String(response.getHeader('content-type')).startsWith('text/html') && !response.hasHeader('content-length');
		return end.apply(response, (isPage && body.length === 0 ? [html] : body) as Parameters<typeof end>);
	};
}

/** Vite opens a file in the editor that runs, or that `LAUNCH_EDITOR` names, and answers with nothing to show. */
const OPEN = '/__open-in-editor';

const linkTo = (_: string, place: string, field = '') =>
	`<a href="${OPEN}?file=${encodeURIComponent(place)}" target="editor">${place}${field}</a> `;

/** Returns a message in HTML. Its place is a link that opens the editor there, and the remedy stands out. */
function itemOf(message: string): string {
	const html = escapeHTML(message).replace(/, (wanted .*)$/s, ' <strong>$1</strong>');
	return `<li>${html.replace(/^([^:]+\.\w+(?::\d+)?)(?:( [\w.-]+)?:)? /, linkTo)}</li>`;
}

const listOf = (messages: string[]) => `<ol>\n${messages.map(itemOf).join('\n')}\n</ol>\n<iframe name="editor" hidden></iframe>`;

/** The page asks again by itself: the editor may correct the mistake before the browser listens for changes. Errors that follow from it stay hidden. */
const pageOf = (messages: string[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>To be corrected: ${messages.length}</title>
<script type="module" src="/@vite/client"></script>
<link rel="stylesheet" href="/src/site/site.css">
<style>
main { width: min(56rem, 100% - 2.5rem); margin: clamp(2rem, 8vw, 5rem) auto; overflow-wrap: anywhere }
.lead { margin-block: 1rem 2.5rem }
ol { margin: 0; padding: 0; list-style: none }
li { margin-block: 1rem; padding: 1rem 1.25rem; border: 1px solid var(--border, gray); border-inline-start: 4px solid var(--error, red); border-radius: var(--radius); background: var(--surface); color: var(--muted) }
li a { display: block; font: 0.875rem/1.6 var(--mono) }
strong { display: block; color: var(--text); font-weight: 500 }
vite-error-overlay { display: none }
</style>
<main>
<h1>To be corrected: ${messages.length}</h1>
<p class="lead">Begin with the first: it may be the cause of others. A place opens your editor there, and the page comes back by itself.</p>
${listOf(messages)}
</main>
</html>`;

const bannerOf = (
	messages: string[],
) => `<details style="position: fixed; inset: auto 0 0; max-height: 50vh; overflow: auto; padding: 0.75rem 1rem; background: var(--surface, Canvas); color: var(--text, CanvasText); border-top: 4px solid var(--warm, #c60)">
<summary>To be translated: ${messages.length}</summary>
${listOf(messages)}
</details>`;
