import type { AstroIntegration } from 'astro';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ContentError } from '../facts/mistake.ts';
import { checkContent } from './check.ts';
import { writeEditorHelp } from './editor-help.ts';
import { anchorMistakes } from './rules/links.ts';
import { previewTexts } from './preview/preview-texts.ts';
import { mistakesFirst } from './preview/preview.ts';

/** Checks `content/`: mistakes stop a build, and replace every page in development. */
export function contentCheck(): AstroIntegration {
	let checked: ReturnType<typeof checkContent> = { anchors: [], warnings: [] };
	return {
		name: 'content-check',
		hooks: {
			// Runs before Astro reads any content.
			'astro:config:setup': ({ config, command, createCodegenDir, updateConfig }) => {
				const root = fileURLToPath(config.root);
				writeEditorHelp(root, config.site!, createCodegenDir());
				const check = () => checkContent(root, config.site!);
				if (command === 'dev') updateConfig({ vite: { plugins: [mistakesFirst(check), previewTexts] } });
				// `astro preview` serves what a build has checked. Our folder `preview/` is for `astro dev`.
				else if (command !== 'preview') checked = check();
			},
			'astro:build:done': async ({ dir, logger }) => {
				for (const warning of checked.warnings) logger.warn(warning);
				const messages = await anchorMistakes(checked.anchors, (path) =>
					readFile(new URL(`.${path === '/' ? '/index' : path}.html`, dir), 'utf8').catch(() => undefined),
				);
				if (messages.length > 0) throw new ContentError(messages);
			},
		},
	};
}
