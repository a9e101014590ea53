import { isNotFoundPage, type Manifest, notFoundPages } from '../server/manifest.ts';

const ASSETS = '/_astro/';

/** Returns the headers of every prebuilt file, in the few rules that the formats of hosts have room for. */
export function headerRules(manifest: Manifest) {
	const files = Object.entries(manifest).filter(([path]) => !isNotFoundPage(path));
	const [asset = {}, ...assets] = files.filter(([path]) => path.startsWith(ASSETS)).map(([, { headers }]) => headers);
	const ofAllAssets = Object.entries(asset).filter(([name, value]) => assets.every((headers) => headers[name] === value));
	// The host itself sets these there.
	const {
		'content-type': _type,
		'cache-control': _cache,
		vary: _vary,
		link: _link,
		...unknown
	} = notFoundPages(manifest).at(-1)!.headers;
	return {
		/** Headers of the page for unknown addresses. */
		unknown,
		/** The files at addresses of their own. */
		documents: files.filter(([path]) => !path.startsWith(ASSETS)),
		/** The files with a fingerprint in their names, all below this path. Their types follow from their extensions. */
		assets: { folder: ASSETS, headers: withoutVary(Object.fromEntries(ofAllAssets)) },
	};
}

/** Removes `vary`: hosts have one form of most documents, and add the encoding to `Vary` themselves. */
export const withoutVary = ({ vary: _vary, ...headers }: Record<string, string>): Record<string, string> => headers;
