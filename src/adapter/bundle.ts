import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';
import { hosts, type Programs } from '../hosts/hosts.ts';

const rooms = fileURLToPath(new URL('../', import.meta.url));

/** The sources of the programs in `dist/server` beside the server itself, by name. */
const sources = {
	function: 'hosts/node/function.ts',
	// The name behind the question mark makes a module of its own for each.
	...Object.fromEntries(['doctor', 'keys', 'leads'].map((name) => [name, `hosts/node/command.ts?${name}`])),
	...Object.fromEntries(Object.keys(hosts).map((name) => [name, `hosts/${name}/program.ts`])),
};

/** Builds each program into a file of its own, beside the server. Returns the plugin for that, and what it has built. */
export function buildPrograms(): Programs & { plugin: Plugin } {
	const chunks = new Map<string, { loads: string[]; exports: string[] }>();
	const plugin = onServer({
		name: 'programs',
		buildStart() {
			for (const [name, source] of Object.entries(sources))
				this.emitFile({ type: 'chunk', id: rooms + source, fileName: `${name}.mjs` });
		},
		generateBundle(_options, bundle) {
			for (const chunk of Object.values(bundle).filter((output) => output.type === 'chunk'))
				chunks.set(chunk.fileName, { loads: [...chunk.imports, ...chunk.dynamicImports], exports: chunk.exports });
		},
	});
	const filesOf = (program: string) => {
		const files = new Set([program]);
		// The loop over a set also visits entries that it adds.
		for (const file of files) for (const other of chunks.get(file)?.loads ?? []) if (chunks.has(other)) files.add(other);
		return [...files];
	};
	const standInFor = (file: string) => {
		const { loads, exports } = chunks.get(file)!;
		const names = exports.map((name) => `nothing as ${name}`);
		return loads.includes('node:sqlite') ? `const nothing = undefined;\nexport { ${names.join(', ')} };\n` : undefined;
	};
	return { plugin, filesOf, standInFor };
}

/** Limits a plugin to the built server: it runs neither in the preview nor for prerendered pages. */
const onServer = (plugin: Plugin): Plugin => ({ apply: 'build', applyToEnvironment: ({ name }) => name === 'ssr', ...plugin });

/** The file of `pg-cloudflare` that the package shows to bundlers for Cloudflare only. Elsewhere `pg` never asks for it. */
const sockets = fileURLToPath(new URL('index.js', import.meta.resolve('pg-cloudflare')));

/** One bundle serves all hosts, so the driver of PostgreSQL brings the sockets of Cloudflare Workers along. */
export const cloudflareSockets = onServer({
	name: 'cloudflare-sockets',
	enforce: 'pre',
	resolveId: {
		filter: { id: /^(pg-cloudflare|cloudflare:sockets)$/ },
		handler: (id) => (id === 'pg-cloudflare' ? sockets : { id, external: true }),
	},
});

/** Removes Astro's endpoint and library for images from the server: the build makes all images. */
export const noImageTools = onServer({
	name: 'no-image-tools',
	load: {
		filter: { id: /\/astro\/dist\/assets\/(services\/sharp|endpoint\/(node|generic))\.js$/ },
		handler: (id) =>
			id.endsWith('sharp.js')
				? `export { default } from 'astro/assets/services/noop';`
				: `export const GET = () => new Response(null, { status: 404 });`,
	},
});

/** Removes from the built server the folders of this machine. Astro names components by their files, and needs no folder when it runs. */
export function removeFolders(server: URL): void {
	// `RegExp.escape` needs a newer Node.js than we promise.
	const home = normalizePath(rooms)
		.slice(0, -'/src/'.length)
		.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
	const names = `(?<=")(?:${home}(?=/(?:src|content|\\.astro)/)|(?:[A-Z]:)?/[^"\n]*?(?=/node_modules/))`;
	const folders = new RegExp(`${names}|(?<=(?:Dir":|Entrypoint": )"file:///)[^"]*`, 'g');
	for (const file of globSync('**/*.mjs', { cwd: fileURLToPath(server) }).map((name) => new URL(name, server)))
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(folders, ''));
}
