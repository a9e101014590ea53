/* global site */

/** CloudFront calls it with each file that it has found. The build writes `site` above it: which headers go with which file. */
// oxlint-disable-next-line no-unused-vars
function handler(event) {
	const response = event.response;
	const path = pathOf(event.request.uri, response.headers['content-type']);
	const page = path.replace(/\.md$/, '');
	const set = path.startsWith(site.assets) ? site.immutable : site.sets[site.paths[path]] || [];
	site.everywhere.concat(set).forEach((number) => {
		const header = site.headers[number];
		response.headers[header[0]] = { value: header[1].replace(/\{page\}/g, page) };
	});
	return response;
}

/** Finds the path of the document, at the requested address or at the one that the other function made of it. */
function pathOf(uri, type) {
	const path = uri in site.paths ? uri : uri.replace(/\.html$/, '').replace(/^\/index$/, '/');
	const asked = type && type.value.startsWith('text/markdown') && !path.endsWith('.md');
	return asked ? `${path === '/' ? '/index' : path}.md` : path;
}
