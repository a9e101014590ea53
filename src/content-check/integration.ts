import type { AstroIntegration } from 'astro';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { jsonSchemaOf } from '../facts/content-file.ts';
import { languagesOf, readService } from '../facts/files.ts';
import { ContentError, endAtMistakes } from '../facts/mistake.ts';
import { paletteSchema } from '../facts/palette.ts';
import { serviceSchema } from '../facts/schema.ts';
import { checkContent } from './check.ts';
import { lacksOf } from './lacks.ts';
import { wordsJsonSchema, wordsNames } from './rules/words.ts';
import { mistakesFirst } from './mistake-page.ts';

/** Checks `content/`: mistakes and missing translations stop a build, and old ones do not. In development mistakes replace every page. */
export const contentCheck = (): AstroIntegration => ({
	name: 'content-check',
	hooks: {
		// Runs before Astro reads any content.
		'astro:config:setup': async ({ config, command, createCodegenDir, updateConfig, logger }) => {
			const root = fileURLToPath(config.root);
			writeSchemas(root, createCodegenDir());
			const check = () => checkContent(root, config.site!);
			if (command === 'dev')
				updateConfig({
					vite: {
						plugins: [mistakesFirst(check)],
						// A program that saves a file empties it first. Vite's watcher reports only the first of two changes within 50 ms.
						server: { watch: { awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 } } },
					},
				});
			// `astro preview` serves what a build has checked.
			else if (command !== 'preview')
				await endAtMistakes(() => {
					const { mistakes, untranslated, outdated } = check();
					if (mistakes.length + untranslated.length > 0) throw new ContentError([...mistakes, ...untranslated]);
					const lacks = command === 'build' ? lacksOf(readService(root), languagesOf(root)) : [];
					for (const message of [...outdated, ...lacks]) logger.warn(message);
				});
		},
	},
});

function writeSchemas(root: string, folder: URL): void {
	const write = (name: string, schema: object) => writeFileSync(new URL(`${name}.schema.json`, folder), JSON.stringify(schema));
	write('service', jsonSchemaOf(serviceSchema));
	write('palette', jsonSchemaOf(paletteSchema));
	for (const name of wordsNames) write(name, wordsJsonSchema(root, name));
}
