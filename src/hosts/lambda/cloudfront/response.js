/* global site */

/** CloudFront calls this with each file that it finds. The build writes `site` above it: the headers of each file. */
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

/** Finds the path of the document from the requested address, or from the file that the other function chose for it. */
function pathOf(uri, type) {
	const path = uri in site.paths ? uri : uri.replace(/\.html$/, '').replace(/^\/index$/, '/');
	const asked = type && type.value.startsWith('text/markdown') && !path.endsWith('.md');
	return asked ? `${path === '/' ? '/index' : path}.md` : path;
}
