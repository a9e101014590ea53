import { escapeHTML } from 'astro/runtime/server/index.js';

/** Returns a page of `npm run dev` that does not belong to the site. It reloads with each change, as all pages do. */
export const previewPage = (title: string, body: string) => `<!doctype html>
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
