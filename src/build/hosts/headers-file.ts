import { type HeaderValues, type HeaderRules, without, withoutVary } from './header-rules.ts';

/**
 * The `_headers` file of Cloudflare, which takes 100 rules.
 * Where several rules fit a path it joins the values of a header, unless a later rule has removed the earlier one: `! name`.
 */
export function headersFile({ everywhere, documents, assets }: HeaderRules): string {
	const narrower = { [`${assets.folder}*`]: assets.headers, ...folderRules(documents) };
	const rules = Object.entries(narrower).map(([path, headers]) => ruleOf(path, linesFor(headers, everywhere)));
	return `${[ruleOf('/*', linesFor(everywhere, {})), ...rules].join('\n\n')}\n`;
}

/** One rule for a folder where all documents in it have the same headers. */
function folderRules(documents: Record<string, HeaderValues>): Record<string, HeaderValues> {
	const folders = Map.groupBy(Object.entries(documents), ([path]) => /^\/[^/]+\//.exec(path)?.[0]);
	const rules = [...folders].flatMap(([folder, files]): [string, HeaderValues][] => {
		const alike = new Set(files.map(([, headers]) => JSON.stringify(headers))).size === 1;
		return folder !== undefined && alike ? [[`${folder}*`, files[0]![1]]] : files;
	});
	return Object.fromEntries(rules);
}

function linesFor(headers: HeaderValues, everywhere: HeaderValues): string[] {
	return Object.entries(withoutVary(without(headers, everywhere))).flatMap(([name, value]) => {
		const line = `${name}: ${value}`;
		return name in everywhere ? [`! ${name}`, line] : [line];
	});
}

const ruleOf = (path: string, lines: string[]) => [path, ...lines].join('\n  ');
