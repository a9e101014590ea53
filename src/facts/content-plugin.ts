import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import type * as z from 'zod';
import { parseContentFile } from './content-file.ts';
import { copySchema, siteWordsSchema } from './words.ts';
import { factsOf, fillFacts } from './facts.ts';
import { languageOf } from './language.ts';
import { linksFrom } from './links.ts';
import { serviceSchema } from './schema.ts';

const SERVICE = 'content/service.yaml';
/** The files with the words of a language. */
const WORDS = /^content\/[^/]+\/(contact|site)\.yaml$/;
const schemas = { contact: copySchema, site: siteWordsSchema };

/**
 * Lets code import the editors' YAML as data, with facts in the places of their names. The bundler parses, checks and fills it,
 * so that no server has to.
 *
 * @param origin the public one, without a trailing slash
 */
export function contentFiles(origin: string): Plugin {
	let root = '';
	return {
		name: 'content-files',
		configResolved: (config) => void ({ root } = config),
		/** @throws {ContentError} as {@link parseContentFile} and {@link fillFacts} */
		transform(source, id) {
			const file = path.relative(root, id).replaceAll(path.sep, '/');
			if (file === SERVICE) return moduleOf(parseContentFile(file, source, serviceSchema));
			const schema = schemas[WORDS.exec(file)?.[1] as keyof typeof schemas];
			if (schema === undefined) return undefined;
			const words = file.replace(/[^/]+$/, 'site.yaml');
			for (const read of [SERVICE, words]) this.addWatchFile(path.join(root, read));
			const facts = factsFrom(words);
			return moduleOf(parseContentFile<z.ZodType>(file, source, schema), (text) => fillFacts(text, facts, file));
		},
	};

	/** Returns the facts in the words of a language. */
	function factsFrom(file: string): Record<string, string> {
		const service = parseContentFile(SERVICE, readFileSync(path.join(root, SERVICE), 'utf8'), serviceSchema);
		const words = parseContentFile(file, readFileSync(path.join(root, file), 'utf8'), siteWordsSchema);
		const language = languageOf(file);
		return factsOf(service, linksFrom(origin, language), words, language);
	}
}

function moduleOf(data: unknown, fill = (text: string) => text) {
	const json = JSON.stringify(data, (_, member: unknown) => (typeof member === 'string' ? fill(member) : member));
	return { code: `export default ${json}`, map: null, moduleType: 'js' as const };
}
