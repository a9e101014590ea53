import type { Manifest } from '../../server/manifest.ts';

const worker = `import files from './files.json';
import { workerFor } from './cloudflare.mjs';

export default workerFor(files);
`;

/** For Cloudflare Workers: the files as static assets, and the worker that gives them their headers and answers the rest. */
export function cloudflareFolder(manifest: Manifest, { identifier, hyperdrive }: { identifier: string; hyperdrive?: string }) {
	const configuration = {
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
		// Each minute the worker tries what is due.
		triggers: { crons: ['* * * * *'] },
		// Invocations are not logged: their URLs have signed links.
		observability: { logs: { enabled: true, invocation_logs: false } },
		...(hyperdrive !== undefined && { hyperdrive: [{ binding: 'HYPERDRIVE', id: hyperdrive }] }),
	};
	// Cloudflare compresses by itself.
	const files = Object.entries(manifest).map(([path, { bodies, ...entry }]) => {
		const [from, to] = bodies.identity!;
		return [path, { ...entry, bodies: { identity: [0, to - from] } }];
	});
	return {
		files: 'assets',
		program: 'worker',
		written: { 'worker/index.mjs': worker, 'worker/files.json': Object.fromEntries(files), 'wrangler.jsonc': configuration },
	};
}
