import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { parse, parseDocument, stringify } from 'yaml';
import { RECORD } from '../../src/content-check/rules/translations.ts';
import { withLeadWords, type WordsName } from '../../src/content-check/rules/words.ts';
import { defaultLanguage, languages, origin } from '../../src/facts/load.ts';
import { TestProcess } from './process.ts';
import { formsOf } from './small-site.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Copies the project, with the languages in `kept`, to a folder of ours where it finds its packages. Tests may change the copy. */
export async function copyOfProject(kept = [defaultLanguage]) {
	const folder = await temporaryFolder(path.resolve('var/test'));
	const isKept = (file: string) =>
		languages.every((language) => kept.includes(language) || file !== path.join('content', language));
	const at = (file: string) => path.join(folder.path, file);
	const parts = ['content', 'public', 'src', 'astro.config.mjs', 'package.json', 'tsconfig.json'];
	for (const part of parts.filter((part) => existsSync(part))) await cp(part, at(part), { recursive: true, filter: isKept });
	// The reference takes most of the time of a build.
	await writeFile(at('src/site/reference/explorer-view.ts'), '');
	const astro = (args: string[], settings = {}, program?: string) => {
		const env = { SITE_URL: origin, ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '0', ...settings };
		return new TestProcess([path.resolve('node_modules/astro/bin/astro.mjs'), ...args], { cwd: folder.path, env, program });
	};
	return {
		at,
		async edit(file: string, search: string | RegExp, replacement: string) {
			const before = await readFile(at(file), 'utf8');
			const after = before.replace(search, replacement);
			expect(after).not.toBe(before);
			await writeFile(at(file), after);
		},
		async write(file: string, text: string | Uint8Array) {
			await mkdir(path.dirname(at(file)), { recursive: true });
			await writeFile(at(file), text);
		},
		async setFacts(facts: Record<string, unknown>) {
			const yaml = parseDocument(await readFile(at('content/service.yaml'), 'utf8'));
			for (const [name, value] of Object.entries(facts)) yaml.set(name, value);
			await writeFile(at('content/service.yaml'), String(yaml));
		},
		/** Adds a language, in place of ours if we have it, with English words in other letters: those of English would be found. */
		async addLanguage(language: string) {
			const record = await readFile(at(RECORD), 'utf8');
			await writeFile(at(RECORD), record.replaceAll(new RegExp(`^${language}/.*\n`, 'gm'), ''));
			await mkdir(at(`content/${language}`), { recursive: true });
			for (const file of await readdir(`content/${defaultLanguage}`)) {
				const text = await readFile(`content/${defaultLanguage}/${file}`, 'utf8');
				const translated = file.endsWith('.mdx')
					? disguised(text)
					: wordsFor(language, withLeadWords(path.basename(file, '.yaml') as WordsName, parse(text)));
				await writeFile(at(`content/${language}/${file}`), translated);
			}
		},
		/** Builds into `var/test/dist`. @param program the Node.js for it */
		async build(settings?: Record<string, string>, program?: string) {
			await using running = astro(['build', '--outDir', 'var/test/dist'], settings, program);
			return { code: await running.exit(), output: running.output };
		},
		/** Runs `npm run dev`, on any port. */
		preview: () => astro(['dev', '--port', '0']),
		built: (file: string) => readFile(at(`var/test/dist/client/${file}`), 'utf8'),
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}

/** Returns English words, disguised, as a file of another language. Each text is on one line, however long, so that tests can edit it. */
const wordsFor = (language: string, words: unknown) =>
	stringify(words, (name, value) => (typeof value === 'string' ? disguised(value) : formsOf(language, name, value)), {
		lineWidth: 0,
	});

/** Puts dots on vowels, but not in names that code reads: in tags, attributes, braces, front matter and paths. `top` is of no heading. */
const disguised = (text: string) =>
	text.replaceAll(/<\/?\w+|\w+="[^" ]*"|\w+=|\{[^}]*\}|\]\((?!#)[^)]*\)|^([a-z]+| *top):|[AEIOUYaeiouy]/gm, (part) =>
		part.length === 1 ? `${part}\u0308`.normalize() : part,
	);
