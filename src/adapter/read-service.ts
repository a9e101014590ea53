import { readFile } from 'node:fs/promises';
import { parseContentFile } from '../facts/content-file.ts';
import { serviceSchema } from '../facts/schema.ts';

/** The project's folder. */
export const root = new URL('../../', import.meta.url);

const file = 'content/service.yaml';

/** Reads the facts for the files that the build writes beside the bundle. */
export const readService = async () => parseContentFile(file, await readFile(new URL(file, root), 'utf8'), serviceSchema);
