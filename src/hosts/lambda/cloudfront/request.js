/* global site */

/** CloudFront calls this with each request for a file. The build writes `site` above it: the published paths. */
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
	return path in site.pages || isOther(path);
}

function isOther(path) {
	return site.others.includes(path) || (/[^/]\.md$/.test(path) && site.pages[path === '/index.md' ? '/' : path.slice(0, -3)]);
}

/** A client that names Markdown first, without a q-value, gets it. */
function fileAt(path, request) {
	const accept = request.headers.accept ? request.headers.accept.value : '';
	const name = path === '/' ? '/index' : path;
	if (path in site.pages) return name + (site.pages[path] && /^text\/markdown *(,|$)/.test(accept) ? '.md' : '.html');
	return isOther(path) ? path : '/.nothing';
}
