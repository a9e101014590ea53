import type { Manifest } from '../../server/manifest.ts';
import type { HostFolder } from './folder.ts';
import { headerRules } from './header-rules.ts';
import { headersFile } from './headers-file.ts';

/** For Cloudflare Workers: the files as static assets, and the worker for `/api/*`. */
export const cloudflareFolder = (manifest: Manifest, { identifier, hyperdrive }: CloudflareOptions): HostFolder => ({
	files: 'assets',
	program: { name: 'cloudflare.mjs', folder: 'worker' },
	texts: {
		'assets/_headers': headersFile(headerRules(manifest)),
		'wrangler.jsonc': `${JSON.stringify({ name: identifier, ...configuration, ...binding(hyperdrive) }, null, '\t')}\n`,
	},
});

interface CloudflareOptions {
	/** What the worker is called. */
	identifier: string;
	/** The id of a Hyperdrive configuration; undefined: there is none. */
	hyperdrive: string | undefined;
}

const configuration = {
	main: 'worker/cloudflare.mjs',
	// What the runtime is to behave like, whatever it has learned since.
	compatibility_date: '2026-04-01',
	compatibility_flags: ['nodejs_compat'],
	// There `import.meta.url` is undefined, and packages that are CommonJS are bundled with a `require` that starts from it.
	define: { 'import.meta.url': '"file:///worker.mjs"' },
	minify: true,
	// Settings that were made on the dashboard stay.
	keep_vars: true,
	assets: {
		directory: 'assets',
		binding: 'ASSETS',
		run_worker_first: ['/api/*'],
		html_handling: 'drop-trailing-slash',
		not_found_handling: '404-page',
	},
	observability: { enabled: true },
};

const binding = (id: string | undefined) => (id === undefined ? {} : { hyperdrive: [{ binding: 'HYPERDRIVE', id }] });
