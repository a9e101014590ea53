import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { leadFields } from '../lead/lead.ts';
import { parseContentFile } from '../service/content-file.ts';
import { copySchema } from '../service/copy.ts';
import { languageOf, pathIn } from '../service/language.ts';
import { paths } from '../service/links.ts';
import { factMistakes } from './facts.ts';
import { filesIn } from './files.ts';
import { complaining, type Mistake, told } from '../service/mistake.ts';
import type { Site } from './site.ts';

const { fields, errors } = copySchema.shape;
const optional = <Value extends z.ZodType>(names: string[], value: Value) =>
	Object.fromEntries(names.map((name) => [name, value.optional()]));
const codes = leadFields.flatMap(({ name }) => ['required', 'too_long', 'invalid'].map((fault) => `${name}_${fault}`));

/** {@link copySchema}, with the fields of the lead and the codes of its errors. */
const schema = copySchema.extend({
	fields: z.strictObject(
		optional(
			leadFields.map(({ name }) => name),
			fields.valueType,
		),
	),
	errors: z.strictObject({ ...optional(codes, errors._zod.def.catchall as z.ZodString), ...errors.shape }),
});

/** What may stand in single braces, by the place in the file. */
const placeholders: [place: RegExp, names: string[]][] = [
	[/^errors\./, ['label', 'max']],
	[/^errorTitle$/, ['title']],
	[/^notices\.\w+\.text$/, ['email']],
];

const FOLDER = 'content/contact';

/** What is wrong with the words of the contact page. */
export function contactMistakes(site: Site): string[] {
	const files = filesIn(site.root, FOLDER);
	return files.flatMap((file) => {
		if (!isLanguage(file))
			return [told(file, { found: 'a name that is no language', wanted: 'a BCP 47 tag and .yaml, such as pt-BR.yaml' })];
		const twin = files.find((other) => other < file && other.toLowerCase() === file.toLowerCase());
		if (twin !== undefined) return [told(file, { found: `the same language as ${twin}`, wanted: 'one of the two' })];
		const source = readFileSync(path.join(site.root, file), 'utf8');
		const messages: string[] = [];
		complaining(messages, () => parseContentFile(file, source, schema));
		return [...messages, ...wordMistakes(source, site).map((mistake) => told(file, mistake))];
	});
}

/** Where the contact page is published, in each language. */
export const contactPaths = (root: string): string[] =>
	filesIn(root, FOLDER)
		.filter(isLanguage)
		.map((file) => pathIn(languageOf(file), paths.contact));

function isLanguage(file: string): boolean {
	try {
		return file.endsWith('.yaml') && languageOf(file) !== '';
	} catch {
		return false;
	}
}

/** Facts and placeholders that nothing fills in. */
function wordMistakes(source: string, site: Site): Mistake[] {
	const mistakes: Mistake[] = [];
	const lines = new LineCounter();
	visit(parseDocument(source, { lineCounter: lines }), {
		Scalar(key, { value, range }, ancestors) {
			if (key !== 'value' || typeof value !== 'string') return;
			const place = ancestors.flatMap((node) => ('key' in node && isScalar(node.key) ? String(node.key.value) : [])).join('.');
			const { line } = lines.linePos(range![0]);
			mistakes.push(
				...[...factMistakes(value, site), ...placeholderMistakes(place, value)].map((mistake) => ({
					...mistake,
					line,
					field: place,
				})),
			);
		},
	});
	return mistakes;
}

function* placeholderMistakes(place: string, text: string): Generator<Mistake> {
	const [, known = []] = placeholders.find(([pattern]) => pattern.test(place)) ?? [];
	for (const [found, name] of text.matchAll(/(?<!\{)\{([^{}]*)\}(?!\})/g))
		if (!known.includes(name!)) yield { found, wanted: known.map((one) => `{${one}}`).join(' or ') || 'no braces here' };
}
