import { escapeHTML } from 'astro/runtime/server/index.js';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Plugin } from 'vite';
import { complaining } from '../../facts/mistake.ts';
import type { checkContent } from '../check.ts';
import { anchorMistakes } from '../rules/links.ts';
import { previewPage } from './preview-page.ts';
import { ask } from './preview-texts.ts';

/** In development: while there is a mistake, every page shows that instead, until it is corrected. */
export const mistakesFirst = (check: () => ReturnType<typeof checkContent>): Plugin => ({
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
			messages ??= look(request);
			if (messages.length === 0) return next();
			logger.error(messages.join('\n'));
			response.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(messages));
		});

		/** Returns the mistakes that files tell of. Links into other pages are checked while the page that was asked for is shown. */
		function look(request: IncomingMessage): string[] {
			const found: string[] = [];
			const { anchors } = complaining(found, check) ?? { anchors: [] };
			void anchorMistakes(anchors, (path) => pageAt(path, request)).then((late) => {
				if (late.length === 0 || messages !== found) return;
				messages = late;
				ws.send({ type: 'full-reload' });
			});
			return found;
		}
	},
});

/** Returns nothing where the page cannot be shown, which Astro tells of, and for what is no page, such as `/auth.md`. */
const pageAt = (path: string, request: IncomingMessage) =>
	ask(path, '*/*', request).then(
		(answer) => (answer.ok && answer.headers.get('content-type')?.startsWith('text/html') ? answer.text() : undefined),
		() => undefined,
	);

const pageOf = (messages: string[]) =>
	previewPage(
		`To be corrected: ${messages.length}`,
		// A correction may come before the browser listens for changes.
		`<meta http-equiv="refresh" content="5">
<h1>To be corrected</h1>
<ul>
${messages.map((message) => `<li>${escapeHTML(message)}</li>`).join('\n')}
</ul>
<p>The page comes back by itself.</p>`,
	);
