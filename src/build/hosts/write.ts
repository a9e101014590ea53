import { mkdir, writeFile } from 'node:fs/promises';
import type { Manifest } from '../../server/manifest.ts';
import { headerRules } from './header-rules.ts';
import { headersFile } from './headers-file.ts';
import { netlifyConfig } from './netlify.ts';
import { nginxSnippet } from './nginx.ts';
import { vercelConfig } from './vercel.ts';

/** Writes what other hosts need to serve `dist` as our own server does: by place below `dist`. */
export async function writeHostFiles(manifest: Manifest, dist: URL): Promise<void> {
	const files = {
		'client/_headers': headersFile(headerRules(manifest)),
		'nginx.conf': nginxSnippet(manifest),
		'vercel.json': vercelConfig(manifest),
		'api/function.mjs': vercelFunction,
		'netlify.toml': netlifyConfig(manifest),
		'netlify/api.mjs': netlifyFunction,
	};
	for (const [file, content] of Object.entries(files)) {
		const url = new URL(file, dist);
		await mkdir(new URL('.', url), { recursive: true });
		await writeFile(url, content);
	}
}

/** Vercel writes the header itself, whatever the client has sent. */
const vercelFunction = `import { fetchFrom } from '../server/function.mjs';
export default { fetch: (request) => fetchFrom(request, request.headers.get('x-real-ip')) };
`;

const netlifyFunction = `import { fetchFrom } from '../server/function.mjs';
export default (request, context) => fetchFrom(request, context?.ip);
export const config = { path: '/api/*' };
`;
