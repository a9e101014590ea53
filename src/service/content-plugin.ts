import path from 'node:path';
import type * as z from 'zod';
import type { Plugin } from 'vite';
import { parseContentFile } from './content-file.ts';
import { copySchema } from './copy.ts';
import { serviceSchema } from './schema.ts';

/** What each folder or file of `content/` must hold. */
const schemas: [file: RegExp, schema: z.ZodType][] = [
	[/^content\/service\.yaml$/, serviceSchema],
	[/^content\/contact\/[^/]+\.yaml$/, copySchema],
];

/** Lets code import the editors' YAML as data. It is parsed and checked while it is bundled: no server has to. */
export function contentFiles(): Plugin {
	let root = '';
	return {
		name: 'content-files',
		configResolved: (config) => void ({ root } = config),
		/** @throws {ContentError} as {@link parseContentFile} */
		transform(source, id) {
			const file = path.relative(root, id).replaceAll(path.sep, '/');
			const [, schema] = schemas.find(([pattern]) => pattern.test(file)) ?? [];
			if (schema === undefined) return undefined;
			return {
				code: `export default ${JSON.stringify(parseContentFile(file, source, schema))}`,
				map: null,
				moduleType: 'js',
			};
		},
	};
}
