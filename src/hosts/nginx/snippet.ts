import { type Manifest, notFoundPages } from '../../server/files/manifest.ts';
import { type HeaderValues, headerRules } from '../header-rules.ts';

/**
 * Returns a snippet for a `server` block of nginx with `dist/client` as its root and a location for `/api/`.
 * It names every document, so nginx serves no other file of the folder.
 */
export function nginxSnippet(manifest: Manifest): string {
	const { documents, assets, everywhere } = headerRules(manifest);
	const locations = Object.entries(documents).flatMap(([path, headers]) => {
		const { file, markdown } = manifest[path]!;
		const page = `try_files /${file} =404;`;
		if (markdown === undefined) return [location(`= ${path}`, headers, page)];
		const inMarkdown = { ...documents[markdown]!, vary: headers['vary']!, 'content-location': markdown };
		return [
			location(`= ${path}`, headers, rewrite(wantsMarkdown, `/.in-markdown${markdown}`), page),
			location(`= /.in-markdown${markdown}`, inMarkdown, 'internal;', `try_files ${markdown} =404;`),
		];
	});
	return [
		preamble,
		...locations,
		`location ^~ ${assets.folder} {\n\t${lines(assetDirectives(assets.headers))}\n}`,
		redirects(Object.keys(documents)),
		...notFoundPages(manifest).flatMap(({ below, file, headers }) => [
			location(`= /${file}`, headers, 'internal;'),
			`location ${below} {\n\terror_page 404 /${file};\n\treturn 404;\n}`,
		]),
		methodNotAllowed(everywhere),
	]
		.join('\n\n')
		.concat('\n');
}

/**
 * Matches clients that name Markdown before HTML and without a q-value, which nginx cannot weigh. Others get HTML, which is
 * always allowed (RFC 9110 section 12.1).
 */
const wantsMarkdown = `$http_accept ~* "^(?!.*text/html.*text/markdown).*text/markdown *(,|$)"`;

const rewrite = (condition: string, path: string) => `if (${condition}) {\n\t\trewrite ^ ${path} last;\n\t}`;

const preamble = `# Made by the build: every document with the headers that the one-machine server sends.
gzip_static on;
absolute_redirect off;
merge_slashes off;
error_page 404 /404.html;
error_page 405 @method-not-allowed;`;

function location(match: string, { 'content-type': type = '', ...headers }: HeaderValues, ...directives: string[]): string {
	return `location ${match} {\n\t${lines([...directives, 'types {}', `default_type ${quoted(type)};`, ...added(headers)])}\n}`;
}

/** Every asset has compressed copies, or is so small that a needless `Vary` does no harm. */
function assetDirectives(headers: HeaderValues): string[] {
	return [
		'types {\n\t\ttext/css css;\n\t\ttext/javascript js;\n\t}',
		'charset utf-8;',
		'charset_types text/css text/javascript;',
		...added({ ...headers, vary: 'Accept-Encoding' }),
		'location ~ \\.(br|gz)$ {\n\t\treturn 404;\n\t}',
		'try_files $uri =404;',
	];
}

/** Redirects an address with a trailing slash to the document's one address. */
function redirects(paths: string[]): string {
	const known = paths.filter((path) => path !== '/').map((path) => path.replace(/[.+]/g, '\\$&'));
	return `location ~ ^(${known.join('|')})/$ {\n\treturn 308 $1$is_args$args;\n}`;
}

/** Without this, nginx refuses a method in HTML and without `Allow` (RFC 9110 section 15.5.6). */
function methodNotAllowed(everywhere: HeaderValues): string {
	const problem = {
		type: 'about:blank',
		title: 'Method Not Allowed',
		status: 405,
		detail: 'The Allow header names the methods.',
	};
	const headers = { ...everywhere, 'content-type': 'application/problem+json', 'cache-control': 'no-store', allow: 'GET, HEAD' };
	return location('@method-not-allowed', headers, `return 405 ${quoted(JSON.stringify(problem))};`);
}

/** `always` adds the headers to errors too. */
const added = (headers: HeaderValues) =>
	Object.entries(headers).map(([name, value]) => `add_header ${name} ${quoted(value)} always;`);

/** @throws {Error} nginx cannot write a dollar sign */
function quoted(value: string): string {
	if (value.includes('$')) throw new Error(`nginx cannot send "${value}": in its files $ begins the name of a variable.`);
	const quote = value.includes("'") ? '"' : "'";
	return quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

const lines = (directives: string[]) => directives.join('\n\t');
