import { type Manifest, notFoundPages } from '../../server/manifest.ts';
import { headerRules, withoutVary } from '../headers.ts';

/** For Netlify: the files, the function with its route, and a configuration with all headers. */
export const netlifyFolder = (manifest: Manifest) => ({
	files: 'files',
	program: 'functions/api',
	written: { 'functions/api/api.mjs': apiFunction, 'netlify.toml': netlifyConfig(manifest) },
});

/** Netlify reads the route in this program without running it. */
const apiFunction = `export { default } from './netlify.mjs';
export const config = { path: ['/api/*', '/lead/*'] };
`;

/** If several header rules match a path, the last one wins, header by header. If several redirects match, the first one wins. */
function netlifyConfig(manifest: Manifest): string {
	const { unknown, documents, assets } = headerRules(manifest);
	const tables = [
		'[build]\npublish = "files"\ncommand = ""',
		// Without this, the preview finds the project around this folder and starts its preview.
		'[dev]\nframework = "#static"',
		'[functions]\ndirectory = "functions"',
		...notFoundPages(manifest).map(
			({ below, file }) => `[[redirects]]\n${members({ from: `${below}*`, to: `/${file}`, status: 404 })}`,
		),
		headerTable('/*', unknown),
		headerTable(`${assets.folder}*`, assets.headers),
		...documents.map(([path, { headers }]) => headerTable(path, withoutVary(headers))),
	];
	return `${tables.join('\n\n')}\n`;
}

const headerTable = (path: string, headers: Record<string, string>) =>
	`[[headers]]\n${members({ for: path })}\n[headers.values]\n${members(headers)}`;

/** TOML has the strings and numbers of JSON. */
const members = (values: Record<string, unknown>) =>
	Object.entries(values)
		.map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
		.join('\n');
