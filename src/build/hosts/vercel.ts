import { API_ACCESS } from '../../service/links.ts';
import type { Manifest } from '../../server/manifest.ts';
import { accessRequests } from './access-requests.ts';
import { type Headers, headerRules } from './header-rules.ts';
import { withoutVary } from './headers-file.ts';

/**
 * `vercel.json` for `dist` as the root of a project: files of `client`, and the function for `/api/*`.
 * Of several rules for a path the last one wins, header by header.
 */
export function vercelConfig(manifest: Manifest): string {
	const { documents, assets, notFound } = headerRules(manifest);
	const rules: [string, Headers][] = [
		// What the function answers has headers of its own.
		['/((?!api/).*)', policies(notFound, Object.values(documents))],
		[`${assets.folder}(.*)`, assets.headers],
		...Object.entries(documents),
	];
	const config = {
		$schema: 'https://openapi.vercel.sh/vercel.json',
		framework: null,
		installCommand: '',
		buildCommand: '',
		outputDirectory: 'client',
		cleanUrls: true,
		trailingSlash: false,
		redirects: redirects(manifest),
		rewrites: [{ source: '/api/(.*)', destination: '/api/function' }],
		headers: rules.map(([source, headers]) => ({
			source,
			headers: Object.entries(withoutVary(headers)).map(([key, value]) => ({ key, value })),
		})),
	};
	return `${JSON.stringify(config, null, '\t')}\n`;
}

/** A file at the same path would stand in the way of a rewrite. */
const redirects = (manifest: Manifest) =>
	accessRequests(manifest).map(([source, destination]) => ({
		source,
		has: [{ type: 'query', key: 'for', value: API_ACCESS }],
		destination,
		permanent: false,
	}));

/** What holds for an unknown address: of the page's headers those that every document has one of, but for the type. */
function policies(notFound: Headers, documents: Headers[]): Headers {
	return Object.fromEntries(
		Object.entries(notFound).filter(([name]) => name !== 'content-type' && documents.every((headers) => name in headers)),
	);
}
