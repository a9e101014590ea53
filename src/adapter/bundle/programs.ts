import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';
import { onServer } from './server-plugins.ts';

/** The programs in `dist/server` beside the server itself. A program named for a host is its entry: src/function/hosts. */
const names = ['cloudflare', 'doctor', 'function', 'keys', 'lambda', 'leads', 'netlify', 'vercel'];

/** The built programs. */
export interface Programs {
	plugin: Plugin;
	/** Returns a program and everything that it loads, now or later, by path below `dist/server`. */
	filesOf(program: string): string[];
	/** Whether a file needs SQLite, which hosts of functions lack. */
	needsSqlite(file: string): boolean;
}

/** Builds each program into a file of its own, beside the server. */
export function buildPrograms(): Programs {
	const loads = new Map<string, string[]>();
	const plugin = onServer({
		name: 'programs',
		buildStart() {
			for (const name of names) this.emitFile({ type: 'chunk', id: sourceOf(name), fileName: `${name}.mjs` });
		},
		generateBundle(_options, bundle) {
			for (const chunk of Object.values(bundle).filter(isChunk))
				loads.set(chunk.fileName, [...chunk.imports, ...chunk.dynamicImports]);
		},
	});
	const needsSqlite = (file: string) => loads.get(file)!.includes('node:sqlite');
	return { plugin, filesOf: (program) => closure(program, loads), needsSqlite };
}

const sourceOf = (name: string) => fileURLToPath(new URL(`../../programs/${name}.ts`, import.meta.url));

const isChunk = (output: Rollup.OutputAsset | Rollup.OutputChunk) => output.type === 'chunk';

function closure(program: string, loads: Map<string, string[]>): string[] {
	const files = new Set([program]);
	// The loop over a set also visits entries that it adds.
	for (const file of files) for (const other of loads.get(file) ?? []) if (loads.has(other)) files.add(other);
	return [...files];
}
