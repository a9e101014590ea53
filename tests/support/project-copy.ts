import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { parseDocument } from 'yaml';
import { defaultLanguage, languages, origin } from '../../src/facts/load.ts';
import { TestProcess } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { translatedPage, translatedWords } from './translation.ts';

/**
 * Copies the project into itself, where the copy finds its packages, with an empty interactive reference. Tests may change it.
 *
 * @param kept the languages of the copy
 */
export async function copyOfProject(kept = [defaultLanguage]) {
	const folder = await temporaryFolder(path.resolve('var/test'));
	const isKept = (file: string) =>
		languages.every((language) => kept.includes(language) || file !== path.join('content', language));
	const at = (file: string) => path.join(folder.path, file);
	for (const part of ['content', 'public', 'src', 'tests', 'astro.config.mjs', 'package.json', 'tsconfig.json'])
		await cp(part, at(part), { recursive: true, filter: isKept });
	// The reference takes most of the time of a build.
	await writeFile(at('src/site/reference/explorer-view.ts'), '');
	const start = (program: string, args: string[], settings = {}) => {
		const env = { SITE_URL: origin, ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '0', ...settings };
		return new TestProcess([path.resolve('node_modules', program), ...args], { cwd: folder.path, env });
	};
	const run = async (program: string, ...args: string[]) => {
		await using running = start(program, args);
		return { code: await running.exit(), output: running.output };
	};
	const build = () => run('astro/bin/astro.mjs', 'build', '--outDir', 'var/test/dist');
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
		/** Changes facts by their paths, such as `prices.currency`. A value of `undefined` removes the fact. */
		async setFacts(facts: Record<string, unknown>) {
			const yaml = parseDocument(await readFile(at('content/service.yaml'), 'utf8'));
			for (const [name, value] of Object.entries(facts))
				if (value === undefined) yaml.deleteIn(name.split('.'));
				else yaml.setIn(name.split('.'), value);
			await writeFile(at('content/service.yaml'), String(yaml));
		},
		/** Adds a language, whose words differ from English but are readable. */
		async addLanguage(language: string) {
			await mkdir(at(`content/${language}`));
			for (const file of await readdir(at(`content/${defaultLanguage}`))) {
				const english = await readFile(at(`content/${defaultLanguage}/${file}`), 'utf8');
				const text = file.endsWith('.mdx') ? translatedPage(english) : translatedWords(english, language, file);
				await writeFile(at(`content/${language}/${file}`), text);
			}
		},
		/** Builds into the folder where its tests expect it. */
		build,
		/** Expects the build to succeed, and returns its output. */
		async buildWhole() {
			const { code, output } = await build();
			expect(code, output).toBe(0);
			return output;
		},
		/** Runs `npm run dev`, on any port. */
		preview: (settings?: Record<string, string>) => start('astro/bin/astro.mjs', ['dev', '--port', '0'], settings),
		/** Runs the copy's tests in these files and folders. */
		test: (files: string[]) => run('vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', ...files),
		built: (file: string) => readFile(at(`var/test/dist/client/${file}`), 'utf8'),
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}
