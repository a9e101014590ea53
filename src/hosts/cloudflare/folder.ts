import type { Manifest, ManifestEntry } from '../../server/manifest.ts';

/** For Cloudflare Workers: the files as static assets, and the worker that gives them their headers and answers `/api/*`. */
export const cloudflareFolder = (manifest: Manifest, options: Parameters<typeof configurationOf>[0]) => ({
	files: 'assets',
	program: { name: 'cloudflare.mjs', folder: 'worker' },
	texts: {
		'worker/index.mjs': worker,
		'worker/files.json': JSON.stringify(uncompressed(manifest)),
		'wrangler.jsonc': `${JSON.stringify(configurationOf(options), null, '\t')}\n`,
	},
});

const worker = `import files from './files.json';
import { workerFor } from './cloudflare.mjs';

export default workerFor(files);
`;

/** Cloudflare compresses by itself. */
const uncompressed = (manifest: Manifest): Manifest =>
	Object.fromEntries(
		Object.entries(manifest).map(([path, entry]): [string, ManifestEntry] => {
			const [from, to] = entry.bodies.identity!;
			return [path, { ...entry, bodies: { identity: [0, to - from] } }];
		}),
	);

const configurationOf = ({ identifier, hyperdrive }: { identifier: string; hyperdrive: string | undefined }) => ({
	name: identifier,
	main: 'worker/index.mjs',
	// Pins the runtime's behaviour to this date, whatever changes later.
	compatibility_date: '2026-04-01',
	compatibility_flags: ['nodejs_compat'],
	// On Workers `import.meta.url` is undefined, and the bundled `require` of CommonJS packages starts from it.
	define: { 'import.meta.url': '"file:///worker.mjs"' },
	minify: true,
	// Keeps settings made on the dashboard.
	keep_vars: true,
	assets: { directory: 'assets', binding: 'ASSETS', run_worker_first: true, html_handling: 'none', not_found_handling: 'none' },
	observability: { enabled: true },
	...(hyperdrive !== undefined && { hyperdrive: [{ binding: 'HYPERDRIVE', id: hyperdrive }] }),
});
