import { answerFrom } from '../../function/answer.ts';
import { fileAnswer, variantsOf } from '../../server/files/file-answer.ts';
import type { Manifest } from '../../server/files/manifest.ts';
import { siteOf } from '../../server/files/site.ts';

/** The bindings of the worker (`wrangler.jsonc`). Settings are in `process.env` as well. */
interface Env {
	ASSETS: { fetch(address: URL): Promise<Response> };
	HYPERDRIVE?: { connectionString: string };
}

interface Context {
	waitUntil(work: Promise<unknown>): void;
}

/** Returns the worker, which answers everything. */
export function workerFor(manifest: Manifest) {
	const site = siteOf(manifest);
	return {
		fetch: (request: Request, env: Env, context: Context): Promise<Response> =>
			answerFrom(request, {
				// Cloudflare writes it over any value from the client.
				caller: request.headers.get('cf-connecting-ip'),
				waitUntil: (work) => context.waitUntil(work),
				database: env.HYPERDRIVE?.connectionString,
				tiesConnections: true,
				print: (line) => console.log(line.trimEnd()),
				async files(asked, path) {
					const found = site.find(asked, path);
					if ('body' in found) return found;
					const { file } = found.entry;
					const asset = await env.ASSETS.fetch(new URL(`/${file}`, request.url));
					return fileAnswer(asked, variantsOf(found.entry, Buffer.from(await asset.arrayBuffer())), found.status);
				},
			}),
	};
}
