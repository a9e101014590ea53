import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The rooms of `src` and Astro's own files, from the bottom: each imports from those before it alone, so no two import each other. */
const rooms = `scripts facts content.config.ts lead store channels outbox api discovery site server cli hosts adapter
	content-check pages middleware.ts env.d.ts`.split(/\s+/);

const mistakes = readdirSync('src')
	.filter((name) => !['README.md', 'decisions', ...rooms].includes(name))
	.map((name) => `src/${name} has no place in the order of tests/rooms.ts.`);

const floorOf = (file: string) => rooms.indexOf(file.split(path.sep)[1]!);
for (const file of globSync('src/**/*.{ts,mjs,astro}'))
	for (const [, target] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\b[\s(]*'(\.[^']+|astro:content)'/g)) {
		// Pages take from Astro what this file loads.
		const imported = target === 'astro:content' ? 'src/content.config.ts' : path.join(path.dirname(file), target!);
		if (imported.startsWith('src') && floorOf(imported) > floorOf(file))
			mistakes.push(`${file} imports ${imported}, which is above it (tests/rooms.ts).`);
	}

for (const mistake of mistakes) console.error(mistake);
if (mistakes.length > 0) process.exitCode = 1;
