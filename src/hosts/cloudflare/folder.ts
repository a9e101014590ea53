import { isPage, type Manifest } from '../../server/files/manifest.ts';
import type { HostFolder, HostOptions } from '../folder.ts';
import { headerRules, type HeaderRules, type HeaderValues, shareRules, withoutVary } from '../header-rules.ts';

/** For Cloudflare Workers: the files as static assets, and the worker for `/api/*`. */
export function cloudflareFolder(manifest: Manifest, { identifier, hyperdrive }: HostOptions): HostFolder {
	const rules = rulesOf(headerRules(manifest));
	const first = rules[MOST_RULES]?.split('\n')[0];
	return {
		files: 'assets',
		program: { name: 'cloudflare.mjs', folder: 'worker' },
		texts: {
			'assets/_headers': `${rules.join('\n\n')}\n`,
			...redirects(manifest),
			'wrangler.jsonc': `${JSON.stringify({ name: identifier, ...configuration, ...binding(hyperdrive) }, null, '\t')}\n`,
		},
		warning:
			first &&
			`Cloudflare takes ${MOST_RULES} rules for headers, and this site has ${rules.length}: there, ${first} and what follows it in _headers would not get ` +
				'their own headers. Move files of public/ into one folder, where files of a kind share a rule, or use another host.',
	};
}

/** Cloudflare ignores all further rules of `_headers`. */
const MOST_RULES = 100;

/** Cloudflare removes `.html` and `/index.html` from addresses: files of `public/` keep it by these redirects. */
function redirects(manifest: Manifest): Record<string, string> {
	const rules = Object.entries(manifest)
		.filter(([path, entry]) => path.endsWith('.html') && !isPage(path, entry))
		.map(([path]) => `${path} ${path.replace(/(\/index)?\.html$/, '')} 200\n`);
	return rules.length > 0 ? { 'assets/_redirects': rules.join('') } : {};
}

const configuration = {
	main: 'worker/cloudflare.mjs',
	// Pins the runtime's behaviour to this date, whatever changes later.
	compatibility_date: '2026-04-01',
	compatibility_flags: ['nodejs_compat'],
	// On Workers `import.meta.url` is undefined, and the bundled `require` of CommonJS packages starts from it.
	define: { 'import.meta.url': '"file:///worker.mjs"' },
	minify: true,
	// Keeps settings made on the dashboard.
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

/**
 * Returns the rules of Cloudflare's `_headers` file.
 * If several rules fit a path, it joins the values of a header, unless a later rule removes the earlier one: `! name`.
 */
function rulesOf({ unknown, documents, assets }: HeaderRules): string[] {
	const { patterns, exact } = shareRules(documents, '[^/]+');
	const earlier = [unknown, ...patterns.map(([, headers]) => ({ ...unknown, ...headers }))];
	return [
		ruleOf('/*', linesFor(unknown, [{}])),
		ruleOf(`${assets.folder}*`, linesFor({ ...unknown, ...assets.headers }, [unknown])),
		...[...patterns, ...exact].map(([path, headers]) => ruleOf(path, linesFor({ ...unknown, ...headers }, earlier))),
	];
}

/** Returns the lines that give these headers to a path, whichever of the earlier rules fit it. */
function linesFor(headers: HeaderValues, earlier: HeaderValues[]): string[] {
	const names = new Set([headers, ...earlier].flatMap((rule) => Object.keys(withoutVary(rule))));
	const changed = [...names].filter((name) => earlier.some((rule) => rule[name] !== headers[name]));
	const removed = changed.filter((name) => earlier.some((rule) => name in rule));
	const set = changed.filter((name) => name in headers);
	return [...removed.map((name) => `! ${name}`), ...set.map((name) => `${name}: ${headers[name]}`)];
}

const ruleOf = (path: string, lines: string[]) => [path, ...lines].join('\n  ');
