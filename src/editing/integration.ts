import type { AstroIntegration } from 'astro';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ContentError } from '../service/content-error.ts';
import { told } from '../service/mistake.ts';
import { instead } from '../service/nearest.ts';
import { checkContent } from './check.ts';
import type { Anchor } from './links.ts';
import { mistakesFirst } from './preview.ts';
import { previewTexts } from './preview-texts.ts';

/** Checks what editors write: mistakes stop a build, and stand in the place of every page in development. */
export function contentCheck(): AstroIntegration {
	let anchors: Anchor[] = [];
	return {
		name: 'content-check',
		hooks: {
			// Before Astro reads any of it.
			'astro:config:setup': ({ config, command, updateConfig }) => {
				const check = () => checkContent(fileURLToPath(config.root), config.site!);
				if (command === 'dev') updateConfig({ vite: { plugins: [mistakesFirst(check), previewTexts] } });
				else if (command !== 'preview') anchors = check();
			},
			'astro:build:done': ({ dir }) => checkAnchors(dir, anchors),
		},
	};
}

/** @throws {ContentError} a link leads to a place that the built page does not have */
async function checkAnchors(client: URL, anchors: Anchor[]): Promise<void> {
	const messages: string[] = [];
	for (const { file, line, found, path: target, id } of anchors) {
		const html = await readFile(new URL(`.${target === '/' ? '/index' : target}.html`, client), 'utf8').catch(() => undefined);
		const ids = [...(html ?? '').matchAll(/\sid="([^"]*)"/g)].map(([, value]) => value!);
		if (html !== undefined && !ids.includes(id)) messages.push(told(file, { line, found, wanted: instead(id, ids) }));
	}
	if (messages.length > 0) throw new ContentError(messages);
}
