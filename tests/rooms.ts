import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The rooms of `src`, from the bottom: each imports from those before it alone, so no two import each other. */
const rooms = [
	'scripts',
	'facts',
	'lead',
	'store',
	'channels',
	'outbox',
	'api',
	'discovery',
	'site',
	'server',
	'cli',
	'hosts',
	'adapter',
	'content-check',
	'pages',
];

const mistakes = readdirSync('src', { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && entry.name !== 'decisions' && !rooms.includes(entry.name))
	.map(({ name }) => `The room src/${name} has no place in the order of tests/rooms.ts.`);

/** Where a file stands in the order. Astro's own files, beside the rooms, stand above all of them. */
const floorOf = (file: string) => (path.dirname(file) === 'src' ? rooms.length : rooms.indexOf(file.split(path.sep)[1]!));
for (const file of globSync('src/**/*.{ts,mjs,astro}'))
	for (const [, target] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\b[\s(]*'(\.[^']+)'/g)) {
		const imported = path.join(path.dirname(file), target!);
		if (imported.startsWith('src') && floorOf(imported) > floorOf(file))
			mistakes.push(`${file} imports ${imported}, which stands above it (tests/rooms.ts).`);
	}

for (const mistake of mistakes) console.error(mistake);
if (mistakes.length > 0) process.exitCode = 1;
