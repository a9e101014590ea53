/* global site */

/** CloudFront calls it with each file that it has found. The build writes `site` above it: which headers go with which file. */
// oxlint-disable-next-line no-unused-vars
function handler(event) {
	const response = event.response;
	const path = event.request.uri.replace(/\.html$/, '').replace(/^\/index$/, '/');
	const page = path.replace(/\.md$/, '');
	const set = path.startsWith(site.assets) ? site.immutable : site.sets[site.paths[path]] || [];
	site.everywhere.concat(set).forEach((number) => {
		const header = site.headers[number];
		response.headers[header[0]] = { value: header[1].replace(/\{page\}/g, page) };
	});
	return response;
}
