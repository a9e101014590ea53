import path from 'node:path';
import type { Plugin } from 'vite';
import type * as z from 'zod';
import { parseContentFile, readYaml } from './content-file.ts';
import { copySchema, siteWordsSchema } from './words.ts';
import { factsOf } from './facts.ts';
import { textIn } from './files.ts';
import { fact, factInCode, fillFacts } from './fill.ts';
import { defaultLanguage, languageOf } from './language.ts';
import { attempt } from './mistake.ts';
import { PALETTE, paletteCss, paletteSchema } from './palette.ts';
import { SERVICE, serviceSchema } from './schema.ts';

/** The place in our styles where the colours of the palette go. */
const COLOURS = '/* palette */';
const WORDS = /^content\/[^/]+\/(contact|site)\.yaml$/;
const schemas = { contact: copySchema, site: siteWordsSchema };

/**
 * Lets code import the editors' YAML as data, in which the value of each fact replaces its name, and the facts in each language. Puts
 * facts into the blocks of code of prose, where MDX has no components, and the palette into styles. All of this is parsed and checked
 * while the bundler runs, so that no server has to.
 * @param origin the public one, without a trailing slash
 * @param root the folder of `content/`, unless it is the bundler's
 */
export function contentFiles(origin: string, root = ''): Plugin[] {
	/** In the preview a file of a language may be missing. */
	const textOf = (file: string) => attempt(() => textIn(root, file)).result ?? '';
	const palette: Plugin = {
		// Not before others: by then a style has those that it imports.
		name: 'palette',
		transform(source) {
			if (!source.includes(COLOURS)) return undefined;
			this.addWatchFile(path.join(root, PALETTE));
			const css = paletteCss(parseContentFile(PALETTE, textOf(PALETTE), paletteSchema));
			return { code: source.replace(COLOURS, css), map: null };
		},
	};
	const content: Plugin = {
		name: 'content-files',
		// Code has its facts before it is highlighted.
		enforce: 'pre',
		configResolved: (config) => void (root ||= config.root),
		/** @throws {ContentError} as {@link parseContentFile} and {@link fillFacts} */
		transform(source, id) {
			const file = path.relative(root, id).replaceAll(path.sep, '/');
			if (file === SERVICE) return moduleOf(parseContentFile(file, source, serviceSchema));
			if (file === PALETTE) return moduleOf(parseContentFile(file, source, paletteSchema));
			const schema = schemas[WORDS.exec(file)?.[1] as keyof typeof schemas];
			const isProse = file.endsWith('.mdx');
			if (schema === undefined && !isProse) return undefined;
			const beside = file.replace(/[^/]+$/, 'site.yaml');
			const site = isProse && textOf(beside) === '' ? englishOf(beside) : beside;
			const facts = factsFrom(site);
			for (const read of [SERVICE, site, englishOf(file)]) this.addWatchFile(path.join(root, read));
			if (schema === undefined)
				return { code: source.replace(factInCode, (_, name: string) => fact(facts, name, file)), map: null };
			const module = moduleOf(wordsFrom<unknown>(file, schema, source), (text) => fillFacts(text, facts, file));
			return file === site ? { ...module, code: `${module.code};\nexport const facts = ${JSON.stringify(facts)}` } : module;
		},
	};
	return [content, palette];

	/** Returns the facts in a language. Its tagline and description may name the other facts. */
	function factsFrom(file: string): Record<string, string> {
		const service = parseContentFile(SERVICE, textOf(SERVICE), serviceSchema);
		const language = languageOf(file);
		const words = wordsFrom(file, siteWordsSchema);
		const facts = factsOf(service, origin, words, language);
		const filled = (text: string) => fillFacts(text, facts, file);
		return { ...facts, tagline: filled(words.tagline), description: filled(words.description) };
	}

	/** Until a text is translated, the preview shows the English one. */
	function wordsFrom<Words>(file: string, schema: z.ZodType<Words>, source = textOf(file)): Words {
		return parseContentFile(file, source, schema, readYaml(textOf(englishOf(file))).document.toJS());
	}
}

const englishOf = (file: string) => `content/${defaultLanguage}/${path.basename(file)}`;

function moduleOf(data: unknown, fill = (text: string) => text) {
	const json = JSON.stringify(data, (_, member: unknown) => (typeof member === 'string' ? fill(member) : member));
	return { code: `export default ${json}`, map: null, moduleType: 'js' as const };
}
