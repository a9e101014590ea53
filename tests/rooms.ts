import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import configuration from '../.dependency-cruiser.mjs';

/** Checks that rooms import in one direction (`.dependency-cruiser.mjs`), and prints each import that does not. */

const copy = 'var/rooms';

/** The tool cannot read `.astro`: there it finds a copy of the sources, with the imports of each such file in a file `NAME.astro.ts`. */
function copySources(): void {
	rmSync(copy, { recursive: true, force: true });
	for (const file of globSync('src/**/*.{ts,mjs,astro}')) {
		const text = readFileSync(file, 'utf8');
		const target = path.join(copy, file);
		mkdirSync(path.dirname(target), { recursive: true });
		if (!file.endsWith('.astro')) writeFileSync(target, text);
		else writeFileSync(`${target}.ts`, (text.match(/^\s*import\s[^;]*;/gm) ?? []).join('\n'));
	}
}

copySources();
const { output } = await cruise(
	['src'],
	{
		ruleSet: configuration,
		validate: true,
		baseDir: path.resolve(copy),
		doNotFollow: { path: 'node_modules' },
		includeOnly: '^src/',
		// Imports of types too.
		tsPreCompilationDeps: true,
	},
	{ extensions: ['.ts'] },
);
const { summary } = output as ICruiseResult;
for (const { rule, from, to } of summary.violations) console.error(`${from} imports ${to}. Rule: ${rule.name}.`);
if (summary.error > 0) process.exitCode = 1;
