import { type Headers, type HeaderRules, without } from './header-rules.ts';

/**
 * The `_headers` file of Netlify and Cloudflare Pages.
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
	const lines = Object.entries(withoutVary(headers)).map(([name, value]) => `  ${name}: ${value}`);
	return [path, ...lines].join('\n');
}

/** These hosts have one form of each document, and say themselves that answers vary by the encoding. */
export function withoutVary({ vary: _vary, ...headers }: Headers): Headers {
	return headers;
}
