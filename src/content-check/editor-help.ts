import { writeFileSync } from 'node:fs';
import { jsonSchemaOf } from '../facts/content-file.ts';
import { docsWordsSchema } from '../facts/docs-words.ts';
import { serviceSchema } from '../facts/schema.ts';
import { languageWords } from './read/language-folders.ts';
import { readFacts } from './read/read-site.ts';
import { componentTypes } from './rules/components.ts';
import { wordsJsonSchema } from './rules/words.ts';

/** Writes what helps editors while they type: the schemas that their YAML names, and the types that `content/tsconfig.json` includes. */
export function writeEditorHelp(root: string, origin: string, folder: URL): void {
	const schemas = {
		service: jsonSchemaOf(serviceSchema),
		docs: jsonSchemaOf(docsWordsSchema),
		...Object.fromEntries(languageWords.map((name) => [name, wordsJsonSchema(root, name)])),
	};
	for (const [name, schema] of Object.entries(schemas))
		writeFileSync(new URL(`${name}.schema.json`, folder), JSON.stringify(schema));
	writeFileSync(new URL('components.d.ts', folder), `declare module '*.astro';\n${componentTypes(readFacts(root, origin))}`);
}
