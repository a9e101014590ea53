import { escapeHTML } from 'astro/runtime/server/index.js';
import path from 'node:path';
import type { Plugin } from 'vite';
import { ContentError } from '../service/content-error.ts';
import { previewPage } from './preview-page.ts';

/** In development: while there is a mistake, every page shows that instead, until it is corrected. */
export const mistakesFirst = (check: () => void): Plugin => ({
	name: 'mistakes-first',
	configureServer({ config: { root, logger }, middlewares, watcher, ws }) {
		const folders = ['content', 'public'].map((folder) => path.join(root, folder, path.sep));
		watcher.add(folders);
		let messages: string[] | undefined;
		watcher.on('all', (_event, file) => {
			messages = undefined;
			if (folders.some((folder) => file.startsWith(folder))) ws.send({ type: 'full-reload' });
		});
		middlewares.use((request, response, next) => {
			if (!request.headers.accept?.includes('text/html')) return next();
			// Once for each change: to read all pages takes longer than to show one.
			messages ??= messagesOf(check);
			if (messages.length === 0) return next();
			logger.error(messages.join('\n'));
			response.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(messages));
		});
	},
});

function messagesOf(check: () => void): string[] {
	try {
		check();
		return [];
	} catch (error) {
		if (error instanceof ContentError) return error.messages;
		throw error;
	}
}

const pageOf = (messages: string[]) =>
	previewPage(
		`To be corrected: ${messages.length}`,
		`<h1>To be corrected</h1>
<ul>
${messages.map((message) => `<li>${escapeHTML(message)}</li>`).join('\n')}
</ul>
<p>The page comes back by itself.</p>`,
	);
