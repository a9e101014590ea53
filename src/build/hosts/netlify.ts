import type { Manifest } from '../../server/manifest.ts';
import { API_ACCESS } from '../../service/links.ts';
import { accessRequests } from './access-requests.ts';

/** `netlify.toml` for `dist` as the folder to deploy: files of `client`, whose headers are in `_headers`, and the function. */
export const netlifyConfig = (manifest: Manifest): string =>
	['[build]\npublish = "client"', '[functions]\ndirectory = "netlify"', ...accessRequests(manifest).map(rewrite)]
		.join('\n\n')
		.concat('\n');

/** `force`: although there is a file at the path. */
const rewrite = ([from, to]: [string, string]) => `[[redirects]]
from = "${from}"
to = "${to}"
query = { for = "${API_ACCESS}" }
status = 200
force = true`;
