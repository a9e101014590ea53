/* global site */

/** CloudFront calls it with each file that it has found. The build writes `site` above it: which headers go with which file. */
// oxlint-disable-next-line no-unused-vars
function handler(event) {
	const response = event.response;
	const path = event.request.uri.replace(/\.html$/, '').replace(/^\/index$/, '/');
	const own = path.startsWith(site.assets) ? site.immutable : site.sets[site.paths[path]];
	const headers = Object.assign({}, site.everywhere, own);
	for (const name of Object.keys(headers))
		response.headers[name] = { value: headers[name].replaceAll('{page}', path.replace(/\.md$/, '')) };
	return response;
}
