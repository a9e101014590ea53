/* global site */

/** CloudFront calls it with each request for a file. The build writes `site` above it: what is published where. */
// oxlint-disable-next-line no-unused-vars
function handler(event) {
	const request = event.request;
	const path = request.uri;
	const shorter = path.slice(0, -1);
	if (path.endsWith('/') && isPublished(shorter)) return { statusCode: 308, headers: { location: { value: shorter } } };
	if (path.startsWith(site.assets)) return request;
	if (isPublished(path) && request.method !== 'GET' && request.method !== 'HEAD')
		return { statusCode: 405, headers: { allow: { value: 'GET, HEAD' } } };
	request.uri = fileAt(path, request);
	return request;
}

function isPublished(path) {
	return path in site.pages || site.others.includes(path);
}

/** Who names Markdown first, without a q-value, gets it; `?for=` shows a page of its own where there is one. */
function fileAt(path, request) {
	const accept = request.headers.accept ? request.headers.accept.value : '';
	const wanted = request.querystring.for ? request.querystring.for.value : '';
	const page = site.requests.includes(`${path}/${wanted}`) ? `${path}/${wanted}` : path;
	const name = page === '/' ? '/index' : page;
	if (page in site.pages) return name + (site.pages[page] && /^text\/markdown *(,|$)/.test(accept) ? '.md' : '.html');
	return site.others.includes(path) ? path : '/.nothing';
}
