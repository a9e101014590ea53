import { escapeHTML } from 'astro/runtime/server/index.js';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Plugin } from 'vite';
import { collectMistakes } from '../facts/mistake.ts';

/**
 * After a change, Astro saves the pages within this time, in milliseconds. Requests wait for it: Vite would keep showing
 * the old page if it were loading modules while Astro saves.
 */
const SAVE_TIME = 1000;

/** Shows the mistakes in place of every page, in development, until the editor corrects them. */
export const mistakesFirst = (check: () => unknown): Plugin => ({
	name: 'mistakes-first',
	configureServer({ config: { root, logger }, middlewares, watcher, ws }) {
		const folders = ['content', 'public'].map((folder) => path.join(root, folder, path.sep));
		watcher.add(folders);
		let messages: string[] | undefined;
		let saved = Promise.resolve();
		watcher.on('all', (_event, file) => {
			messages = undefined;
			if (!folders.some((folder) => file.startsWith(folder))) return;
			saved = setTimeout(SAVE_TIME);
			ws.send({ type: 'full-reload' });
		});
		middlewares.use((_request, _response, next) => void saved.then(() => next()));
		middlewares.use((request, response, next) => {
			if (!request.headers.accept?.includes('text/html') || request.url?.startsWith(OPEN)) return next();
			// Checks once for each change: reading all pages takes longer than showing one.
			if (messages === undefined) collectMistakes((messages = []), check);
			if (messages.length === 0) return next();
			logger.error(messages.join('\n'));
			response.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(messages));
		});
	},
});

/** Vite opens a file in the editor that runs, or that `LAUNCH_EDITOR` names, and answers with nothing to show. */
const OPEN = '/__open-in-editor';

/** Returns a message in HTML. Its place is a link that opens the editor there. */
const itemOf = (message: string) =>
	`<li>${escapeHTML(message).replace(
		/^[^:]+\.\w+(:\d+)?/,
		(place) => `<a href="${OPEN}?file=${encodeURIComponent(place)}" target="editor">${place}</a>`,
	)}</li>`;

/** The page asks again by itself: the editor may correct the mistake before the browser listens for changes. */
const pageOf = (messages: string[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>To be corrected: ${messages.length}</title>
<script type="module" src="/@vite/client"></script>
<style>
body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.5 system-ui, sans-serif }
li { margin: 1rem 0; overflow-wrap: anywhere }
</style>
<h1>To be corrected</h1>
<ul>
${messages.map(itemOf).join('\n')}
</ul>
<p>The page comes back by itself.</p>
<iframe name="editor" hidden></iframe>
</html>`;
