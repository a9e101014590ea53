import { fileURLToPath } from 'node:url';
import { onServer } from './plugin.ts';

/** The file of `pg-cloudflare` that the package itself shows to bundlers for Cloudflare alone. Elsewhere `pg` never asks for it. */
const sockets = fileURLToPath(new URL('index.js', import.meta.resolve('pg-cloudflare')));

/** One bundle for all hosts, so the driver of PostgreSQL takes with it what it speaks through on Cloudflare Workers. */
export const cloudflareSockets = onServer({
	name: 'cloudflare-sockets',
	enforce: 'pre',
	resolveId: {
		filter: { id: /^(pg-cloudflare|cloudflare:sockets)$/ },
		handler: (id) => (id === 'pg-cloudflare' ? sockets : { id, external: true }),
	},
});
