import { type Manifest, notFoundPages } from '../../server/files/manifest.ts';
import type { HostFolder } from '../folder.ts';
import { type HeaderValues, headerRules, without, withoutVary } from '../header-rules.ts';

/** For Netlify: the files, the function with its route, and a configuration with all headers. */
export const netlifyFolder = (manifest: Manifest): HostFolder => ({
	files: 'files',
	program: { name: 'netlify.mjs', folder: 'functions/api' },
	texts: { 'functions/api/api.mjs': apiFunction, 'netlify.toml': netlifyConfig(manifest) },
});

/** Netlify reads the route without running this. */
const apiFunction = `export { default } from './netlify.mjs';
export const config = { path: '/api/*' };
`;

/** If several header rules match a path, the last one wins, header by header. If several redirects match, the first one wins. */
const netlifyConfig = (manifest: Manifest): string =>
	[
		'[build]\npublish = "files"\ncommand = ""',
		// Without this, the preview finds the project around this folder and starts its preview.
		'[dev]\nframework = "#static"',
		'[functions]\ndirectory = "functions"',
		...notFoundPages(manifest).map(({ below, file }) => redirect({ from: `${below}*`, to: `/${file}`, status: 404 })),
		...headerTables(manifest),
	]
		.join('\n\n')
		.concat('\n');

const redirect = (members: Record<string, unknown>) => ['[[redirects]]', ...Object.entries(members).map(member)].join('\n');

function headerTables(manifest: Manifest): string[] {
	const { unknown, documents, assets } = headerRules(manifest);
	const narrower = { [`${assets.folder}*`]: assets.headers, ...documents };
	const tables = Object.entries(narrower).map(([path, headers]) => headerTable(path, without(headers, unknown)));
	return [headerTable('/*', unknown), ...tables];
}

const headerTable = (path: string, headers: HeaderValues) =>
	['[[headers]]', member(['for', path]), '[headers.values]', ...Object.entries(withoutVary(headers)).map(member)].join('\n');

/** TOML has the strings of JSON. */
const member = ([name, value]: [string, unknown]) => `${name} = ${JSON.stringify(value)}`;
