import { fetchFrom, tryDue } from '../../server/function.ts';
import { type Files, filesOf, variantsOf } from '../../server/files.ts';
import type { Manifest } from '../../server/manifest.ts';

/** The bindings of the worker (`wrangler.jsonc`). Settings are in `process.env` as well. */
interface Env {
	ASSETS: { fetch(address: string): Promise<Response> };
	HYPERDRIVE?: { connectionString: string };
}

const hostOf = (env: Env) => ({
	database: env.HYPERDRIVE?.connectionString,
	tiesConnections: true,
	print: (line: string) => console.log(line.trimEnd()),
});

/** Returns the worker, which answers everything. */
export function workerFor(manifest: Manifest) {
	let files: Files | undefined;
	return {
		fetch(request: Request, env: Env, context: { waitUntil(work: Promise<unknown>): void }): Promise<Response> {
			files ??= filesOf(manifest, async (entry) => {
				const asset = await env.ASSETS.fetch(`https://assets.local/${entry.file}`);
				return variantsOf(entry, Buffer.from(await asset.arrayBuffer()));
			});
			return fetchFrom(request, {
				// Cloudflare sets this header in place of any value from the client.
				caller: request.headers.get('cf-connecting-ip'),
				waitUntil: (work) => context.waitUntil(work),
				...hostOf(env),
				files,
			});
		},
		/** Cloudflare calls this by the cron trigger. */
		scheduled: (_event: unknown, env: Env): Promise<void> => tryDue(hostOf(env)),
	};
}
