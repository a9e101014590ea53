import { mkdir, writeFile } from 'node:fs/promises';
import type { Manifest } from '../manifest.ts';
import { headerRules } from './header-rules.ts';
import { headersFile } from './headers-file.ts';
import { nginxSnippet } from './nginx.ts';
import { vercelConfig } from './vercel.ts';

/** Writes what other hosts need to serve `dist` as our own server does: by place below `dist`. */
export async function writeHostFiles(manifest: Manifest, dist: URL): Promise<void> {
	const rules = headerRules(manifest);
	const files = {
		'client/_headers': headersFile(rules),
		'nginx.conf': nginxSnippet(manifest),
		'vercel.json': vercelConfig(rules),
		'api/function.mjs': "export { default } from '../server/function.mjs';\n",
		'netlify.toml': '[build]\npublish = "client"\n\n[functions]\ndirectory = "netlify"\n',
		'netlify/api.mjs': "export { fetch as default } from '../server/function.mjs';\nexport const config = { path: '/api/*' };\n",
	};
	for (const [file, content] of Object.entries(files)) {
		const url = new URL(file, dist);
		await mkdir(new URL('.', url), { recursive: true });
		await writeFile(url, content);
	}
}
