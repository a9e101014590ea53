import { answerFrom } from '../../function/answer.ts';

/** The bindings of the worker (`wrangler.jsonc`). Settings are in `process.env` as well. */
interface Env {
	ASSETS: { fetch(request: Request): Promise<Response> };
	HYPERDRIVE?: { connectionString: string };
}

interface Context {
	waitUntil(work: Promise<unknown>): void;
}

export default {
	/** Answers `/api/*`. Any other path is a file, or the page for a missing one. */
	async fetch(request: Request, env: Env, context: Context): Promise<Response> {
		if (!new URL(request.url).pathname.startsWith('/api/')) return env.ASSETS.fetch(request);
		return answerFrom(request, {
			// Cloudflare writes it over any value from the client.
			caller: request.headers.get('cf-connecting-ip'),
			waitUntil: (work) => context.waitUntil(work),
			database: env.HYPERDRIVE?.connectionString,
			tiesConnections: true,
			print: (line) => console.log(line.trimEnd()),
		});
	},
};
