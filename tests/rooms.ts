import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import configuration from '../.dependency-cruiser.mjs';

/**
 * Checks that rooms import in one direction (`.dependency-cruiser.mjs`), and that their pictures in the READMEs are current. Prints each
 * import in the wrong direction. With `--write` it draws the pictures anew.
 */

const copy = 'var/rooms';
const readmes = ['README.md', 'src/README.md'];

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
const { modules, summary } = output as ICruiseResult;
for (const { rule, from, to } of summary.violations)
	console.error(`${from} imports ${to}, but ${rule.name} (.dependency-cruiser.mjs).`);

if (summary.error > 0) process.exit(1);

for (const readme of readmes) {
	const text = readFileSync(readme, 'utf8');
	const drawn = text.replace(/(?<=<!-- rooms: (\S+) -->\n)[^]*?(?=<!-- \/rooms -->)/g, (_, folder: string) => picture(folder));
	if (process.argv.includes('--write')) writeFileSync(readme, drawn);
	else if (drawn !== text) {
		console.error(`${readme} shows other imports than there are. Run: npm run check:rooms -- --write`);
		process.exitCode = 1;
	}
}

/** Returns the folders of a folder as a Mermaid graph, from the top down. It has no arrow that others imply. */
function picture(folder: string): string {
	const roomOf = (file: string) => new RegExp(`^${folder}/([^/]+)/`).exec(file)?.[1];
	const imports = new Map<string, Set<string>>();
	for (const { source, dependencies } of modules) {
		const room = roomOf(source);
		if (room === undefined) continue;
		const others = dependencies.map(({ resolved }) => roomOf(resolved)).filter((other) => other !== undefined && other !== room);
		imports.set(room, new Set([...(imports.get(room) ?? []), ...(others as string[])]));
	}
	const leadsTo = (from: string, to: string): boolean =>
		[...(imports.get(from) ?? [])].some((next) => next === to || leadsTo(next, to));
	const arrows = [...imports].flatMap(([room, others]) => {
		const next = [...others].filter((other) => ![...others].some((nearer) => leadsTo(nearer, other)));
		return next.length > 0 ? `  ${room} --> ${next.toSorted().join(' & ')}` : [];
	});
	return `\n\`\`\`mermaid\nflowchart TD\n${arrows.toSorted().join('\n')}\n\`\`\`\n\n`;
}
