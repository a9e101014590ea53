import { readFileSync } from 'node:fs';
import { isPage, type Manifest } from '../../server/files/manifest.ts';
import type { HostFolder } from '../folder.ts';
import { headerRules, type HeaderValues, shareRules, varyIfMarkdown, without, withoutVary } from '../header-rules.ts';

/** For AWS Lambda: the folder to zip, the files for S3, and the functions and policy for CloudFront in front of both. */
export function lambdaFolder(manifest: Manifest): HostFolder {
	const texts = cloudfrontFiles(manifest);
	const large = Object.keys(texts).find((name) => name.endsWith('.js') && Buffer.byteLength(texts[name]!) > MOST_BYTES);
	return {
		files: 'files',
		program: { name: 'lambda.mjs', folder: 'function' },
		texts,
		warning:
			large &&
			`CloudFront takes functions of ${MOST_BYTES} bytes, and will refuse ${large} of ${Buffer.byteLength(texts[large]!)}, which names every page. ` +
				'Publish fewer pages and files, with shorter names, or use another host.',
	};
}

/** The largest function that CloudFront takes. */
const MOST_BYTES = 10_240;

/** S3 keeps few headers and knows no pages, so CloudFront gets two functions, and a policy for errors. */
const cloudfrontFiles = (manifest: Manifest): Record<string, string> => ({
	'cloudfront/request.js': edgeFunction('request', addresses(manifest)),
	'cloudfront/response.js': edgeFunction('response', headerSets(manifest)),
	'cloudfront/errors.json': `${JSON.stringify(errorPolicy(headerRules(manifest).unknown), null, '\t')}\n`,
});

const edgeFunction = (name: string, site: object) =>
	`const site = ${JSON.stringify(site)};\n${readFileSync(new URL(`cloudfront/${name}.js`, import.meta.url), 'utf8')}`;

function addresses(manifest: Manifest) {
	const { documents, assets } = headerRules(manifest);
	const paths = Object.keys(documents);
	const pages = paths.filter((path) => isPage(path, manifest[path]!));
	const markdown = pages.map((path) => manifest[path]!.markdown);
	return {
		/** True for each page that exists in Markdown too. */
		pages: Object.fromEntries(pages.map((path, index) => [path, markdown[index] !== undefined])),
		/** All other files but the Markdown of those pages. */
		others: paths.filter((path) => !pages.includes(path) && !markdown.includes(path)),
		assets: assets.folder,
	};
}

/** Writes each header and each set of headers once. `{page}` stands for the path of the page. */
function headerSets(manifest: Manifest) {
	const { everywhere, documents, assets } = headerRules(manifest);
	const [headers, sets] = [register(), register()];
	const numbers = (own: HeaderValues) => Object.entries(own).map((header) => headers.add(header));
	const templates = Object.entries(documents).map(([path, own]) => [
		path,
		withPage(path, without(varying(path, own, manifest), everywhere)),
	]);
	// response.js takes the same for `:part`.
	const { patterns, exact } = shareRules(Object.fromEntries(templates), '[^/.]+');
	const numbered = (rules: typeof exact) => rules.map(([path, own]) => [path, sets.add(numbers(own))]);
	return {
		everywhere: numbers(everywhere),
		immutable: numbers(without(withoutVary(assets.headers), everywhere)),
		exact: Object.fromEntries(numbered(exact)),
		patterns: numbered(patterns),
		sets: sets.all(),
		assets: assets.folder,
		headers: headers.all(),
	};
}

/** Lets Markdown vary as its page does: the client may have asked at the page's address, which CloudFront does not always tell. */
function varying(path: string, own: HeaderValues, manifest: Manifest): HeaderValues {
	const page = Object.values(manifest).find(({ markdown }) => markdown === path);
	return page === undefined ? varyIfMarkdown(own, manifest[path]!) : { ...own, vary: page.headers['vary']! };
}

/** Numbers values and stores each once. */
function register() {
	const texts: string[] = [];
	return {
		add(value: unknown): number {
			const text = JSON.stringify(value);
			if (!texts.includes(text)) texts.push(text);
			return texts.indexOf(text);
		},
		all: () => texts.map((text): unknown => JSON.parse(text)),
	};
}

/** Replaces the path of the page in `link`. */
function withPage(path: string, { link, ...headers }: HeaderValues): HeaderValues {
	const page = path.replace(/\.md$/, '');
	return link === undefined ? headers : { ...headers, link: page === '/' ? link : link.replaceAll(page, '{page}') };
}

/** The input of `aws cloudfront create-response-headers-policy`: an answer gets each header that it lacks. */
const errorPolicy = (unknown: HeaderValues) => ({
	Name: 'errors',
	CustomHeadersConfig: items(Object.entries(unknown).map(([Header, Value]) => ({ Header, Value, Override: false }))),
});

const items = (list: object[]) => ({ Quantity: list.length, Items: list });
