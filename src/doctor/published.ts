import { extname } from 'node:path';
import { origin as builtFor } from '../facts/load.ts';
import type { Build } from './build.ts';
import type { Check, Examination } from './examination.ts';
import { fault, okIfNone, ok } from './verdict.ts';

/** Files that lie beside the published ones on some hosts, and that nobody may read. */
const neverPublic = [
	'/_headers',
	'/_redirects',
	'/.env',
	'/.git/config',
	'/files.json',
	'/hosts/netlify/netlify.toml',
	'/lambda.mjs',
	'/netlify.toml',
	'/nginx.conf',
	'/package.json',
	'/server/entry.mjs',
	'/server/files.json',
	'/var/leads.db',
	'/vercel.json',
	'/worker/cloudflare.mjs',
	'/wrangler.jsonc',
];

/** Returns the compressed copies of one file of each kind: a host shows all of them, or none. */
function copies({ documents }: Build): string[] {
	const files = [...documents.values()].filter(({ bodies }) => Object.keys(bodies).length > 1);
	const firsts = Map.groupBy(files, ({ file }) => extname(file)).values();
	return [...firsts].flatMap(([first]) => [`/${first!.file}.br`, `/${first!.file}.gz`]);
}

async function nothingElse({ build, ask }: Examination) {
	const targets = [...neverPublic, ...copies(build)];
	const statuses = await Promise.all(targets.map(async (target) => ({ target, status: (await ask(target)).status })));
	const open = statuses.filter(({ status }) => status >= 200 && status < 300).map(({ target }) => target);
	return okIfNone(open, `${targets.length} tried, none is public`, 'Serve only what lies in client, and none of these.');
}

function namesOrigin({ origin }: Examination) {
	if (origin.origin === builtFor) return ok(builtFor);
	return fault(
		`the build is for ${builtFor}`,
		`Build again with SITE_URL=${origin.origin}, and deploy that; or ask for ${builtFor}.`,
	);
}

/** Returns every address of ours that a document names. */
function namedIn({ documents }: Build): string[] {
	const address = new RegExp(`${builtFor.replaceAll('.', '\\.')}(/[\\w%./?=-]*)?`, 'g');
	const texts = [...documents.values()].filter(({ headers }) =>
		/text\/(html|plain|markdown)|json|xml/.test(headers['content-type']!),
	);
	const named = texts.flatMap(({ content }) => content.toString().match(address) ?? []);
	return [...new Set(named.map((url) => url.slice(builtFor.length).replace(/[.?]+$/, '') || '/'))];
}

async function links({ build, ask }: Examination) {
	const named = namedIn(build);
	const others = named.filter((path) => !build.documents.has(path));
	const statuses = await Promise.all(others.map(async (path) => ({ path, status: (await ask(path)).status })));
	const broken = statuses.filter(({ status }) => status === 404 || status >= 500).map(({ path, status }) => `${path}: ${status}`);
	return okIfNone(
		broken,
		`${named.length} that documents name lead somewhere`,
		'Route /api/ to the function, and deploy all of the build.',
	);
}

/** Checks of what is public, and what must not be. */
export const publishedChecks: Check[] = [
	{ name: 'addresses: origin', look: namesOrigin },
	{ name: 'addresses: links', look: links },
	{ name: 'addresses: nothing else', look: nothingElse },
];
