import { type Headers, type HeaderRules, without } from './header-rules.ts';

/**
 * The `_headers` file of Netlify and Cloudflare Pages. Both compress by themselves, and so say themselves that answers vary by it.
 * Where several rules fit a path, Cloudflare joins the values of a header; so no header stands in two rules that fit the same path.
 */
export function headersFile({ shared, documents, assets }: HeaderRules): string {
	const rules = {
		'/*': shared,
		[`${assets.folder}*`]: without(assets.headers, shared),
		...Object.fromEntries(Object.entries(documents).map(([path, headers]) => [path, without(headers, shared)])),
	};
	return `${Object.entries(rules).map(ruleOf).join('\n\n')}\n`;
}

function ruleOf([path, headers]: [string, Headers]): string {
	const lines = Object.entries(withoutEncoding(headers)).map(([name, value]) => `  ${name}: ${value}`);
	return [path, ...lines].join('\n');
}

/** Without `Accept-Encoding` in `Vary`: the host's own business. */
export function withoutEncoding({ vary = '', ...headers }: Headers): Headers {
	const rest = vary.split(', ').filter((name) => name && name !== 'Accept-Encoding');
	return rest.length > 0 ? { ...headers, vary: rest.join(', ') } : headers;
}
