import { isNotFoundPage, type Manifest, notFoundPages } from '../server/manifest.ts';

const ASSETS = '/_astro/';

/** Returns the headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export function headerRules(manifest: Manifest) {
	const files = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	const [asset = {}, ...assets] = files.filter(([path]) => path.startsWith(ASSETS)).map(([, { headers }]) => headers);
	const ofAllAssets = Object.entries(asset).filter(([name, value]) => assets.every((headers) => headers[name] === value));
	const notFound = notFoundPages(manifest).at(-1)!.headers;
	return {
		/** Headers of the page for unknown addresses, without those that the host sets there by itself. */
		unknown: without(notFound, 'content-type', 'cache-control', 'vary', 'link'),
		/** The files at addresses of their own. */
		documents: files.filter(([path]) => !path.startsWith(ASSETS)),
		/** The files with a fingerprint in their names, all below this path. Their types follow from their extensions. */
		assets: { folder: ASSETS, headers: withoutVary(Object.fromEntries(ofAllAssets)) },
	};
}

/** Removes `vary`: hosts have one form of most documents, and add the encoding to `Vary` themselves. */
export const withoutVary = (headers: Record<string, string>) => without(headers, 'vary');

const without = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
