/* global site */

/**
 * CloudFront calls this with each file that it finds. The build writes `site` above it: the headers of each file. Its engine knows
 * no destructuring.
 */
// oxlint-disable-next-line no-unused-vars
function handler(event) {
	const response = event.response;
	const path = pathOf(event.request.uri, response.headers['content-type']);
	const rule = path.startsWith(site.assets) ? { set: site.immutable } : ruleFor(path) || { set: [] };
	const page = path.replace(/\.md$/, '');
	site.everywhere.concat(rule.set).forEach((number) => {
		const header = site.headers[number];
		response.headers[header[0]] = { value: header[1].split('{page}').join(page).split(':part').join(rule.part) };
	});
	return response;
}

/** Finds the path of the document from the requested address, or from the file that the other function chose for it. */
function pathOf(uri, type) {
	const path = ruleFor(uri) ? uri : uri.replace(/\.html$/, '').replace(/^\/index$/, '/');
	const asked = type && type.value.startsWith('text/markdown') && !path.endsWith('.md');
	return asked ? `${path === '/' ? '/index' : path}.md` : path;
}

/** Finds the numbers of a document's headers, and the part of its path that stands in them. */
function ruleFor(path) {
	if (path in site.exact) return { set: site.sets[site.exact[path]] };
	for (let index = site.patterns.length - 1; index >= 0; index -= 1) {
		const ends = site.patterns[index][0].split(':part');
		const part = path.slice(ends[0].length, path.length - ends[1].length);
		if (/^[^/.]+$/.test(part) && path === ends[0] + part + ends[1]) return { set: site.sets[site.patterns[index][1]], part };
	}
}
