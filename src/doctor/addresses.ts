import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { paths } from '../facts/links.ts';
import { origin as builtFor } from '../facts/load.ts';
import type { Build } from './build.ts';
import { type Check, type Examination, fault, type Finding, ok, okIfNone, warning } from './check.ts';
import type { Ask } from './origin.ts';

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

async function unknownAddresses({ build: { notFound }, ask }: Examination): Promise<Finding> {
	const findings = await Promise.all(notFound.map((page) => unknownAddress(page, ask)));
	const worst = ['fault', 'warning'].flatMap((outcome) => findings.filter((finding) => finding.outcome === outcome));
	return worst[0] ?? ok(`404 with our page below ${notFound.map(({ below }) => below).join(', ')}`);
}

async function unknownAddress({ below, file, content, headers: wanted }: Build['notFound'][number], ask: Ask): Promise<Finding> {
	const { status, headers, body } = await ask(below + randomUUID(), { headers: { 'accept-encoding': 'identity' } });
	const advice = `Let the host answer 404 with /${file} where nothing is below ${below}`;
	if (status !== 404) return fault(`${below}… answered ${status}, not 404`, `${advice}: search engines index the rest.`);
	if (!body.equals(content)) return warning(`below ${below} 404 with another page than ours`, `${advice}.`);
	const lost = Object.keys(wanted).filter((name) => policies.test(name) && !(name in headers));
	return okIfNone(lost, '404 with our page', 'Let the host send these headers with errors too.');
}

const policies = /^(content-security-policy|referrer-policy|x-)/;

async function slashes({ ask }: Examination) {
	const { status, headers } = await ask(`${paths.docs}/`);
	const leads = headers['location'] !== undefined && URL.parse(headers['location'], builtFor)?.pathname === paths.docs;
	if ((status >= 300 && status < 400 && leads) || status === 404) return ok(`answered ${status}`);
	return warning(`answered ${status}: a page has two addresses`, `Let the host redirect ${paths.docs}/ to ${paths.docs}.`);
}

async function head({ ask }: Examination) {
	const { status, headers, body } = await ask(paths.home, { method: 'HEAD' });
	if (status === 200 && headers['content-type']?.startsWith('text/html') && body.length === 0)
		return ok('as GET, without the body');
	return warning(`answered ${status}`, 'Let the host answer HEAD as it does GET (RFC 9110 section 9.3.2).');
}

async function otherMethods({ ask }: Examination) {
	const { status, headers } = await ask(paths.docs, { method: 'POST', body: '' });
	if (status === 405 && headers['allow']?.includes('GET')) return ok('405 with Allow');
	const found = status === 405 ? '405 without Allow' : `answered ${status}, not 405`;
	return warning(
		`POST to ${paths.docs}: ${found}`,
		'Let the host refuse other methods than GET and HEAD (RFC 9110 section 15.5.6).',
	);
}

/** Checks of what is public, what must not be, and of requests that are not a plain GET of a document. */
export const addressChecks: Check[] = [
	{ name: 'addresses: origin', look: namesOrigin },
	{ name: 'addresses: links', look: links },
	{ name: 'addresses: nothing else', look: nothingElse },
	{ name: 'addresses: unknown', look: unknownAddresses },
	{ name: 'addresses: slash', look: slashes },
	{ name: 'addresses: HEAD', look: head },
	{ name: 'addresses: methods', look: otherMethods },
];
