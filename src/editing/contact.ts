import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import * as z from 'zod';
import { errorCodes, type LeadField, leadFields } from '../lead/lead.ts';
import { parseContentFile } from '../service/content-file.ts';
import { copySchema } from '../service/copy.ts';
import { defaultLanguage, languageOf, pathIn } from '../service/language.ts';
import { paths } from '../service/links.ts';
import { complaining, type Mistake, told } from '../service/mistake.ts';
import { factMistakes } from './facts.ts';
import { textIn } from './files.ts';
import { languageFolders } from './language-folders.ts';
import type { Site } from './site.ts';

const { fields, errors, submit: text, accessRequest } = copySchema.shape;
const optional = <Value extends z.ZodType>(names: string[], value: Value) =>
	Object.fromEntries(names.map((name) => [name, value.optional()]));
const fieldNames = leadFields.map(({ name }) => name);

/** {@link copySchema}, with the fields of the lead and the codes of its errors. */
const schemaIn = (language: string) =>
	copySchema.extend({
		fields: z.strictObject(Object.fromEntries(leadFields.map((field) => [field.name, wordsSchema(field, language)]))),
		accessRequest: accessRequest.extend({
			fields: z.strictObject(optional(fieldNames, accessRequest.shape.fields.valueType)),
		}),
		errors: z.strictObject({ ...optional(errorCodes, text), ...errors.shape }),
	});

/** All words that people read of a field. In English it has words of its own. */
function wordsSchema({ kind, label, options = {} }: LeadField, language: string) {
	const needed = language !== defaultLanguage && kind !== 'hidden';
	const words = (english: string) => (needed ? z.string(`what is in English “${english}”`).trim().min(1) : text.optional());
	const labels = Object.entries(options).map(([value, english]) => [value, words(english)]);
	const own = { label: words(label), options: z.strictObject(Object.fromEntries(labels)).prefault({}) };
	// Where nothing is there, it is each word that is missing.
	return fields.valueType.extend(own).prefault({ label: undefined });
}

/** What may stand in single braces, by the place in the file. */
const placeholders: [place: RegExp, names: string[]][] = [
	[/^errors\./, ['label', 'max', 'min', 'options']],
	[/^errorTitle$/, ['title']],
	[/^next\.steps$/, ['email']],
	[/^(left|over|next\.answer)\.\w+$/, ['count']],
	[/^notices\.limited\.text$/, ['email', 'when']],
	[/^notices\.\w+\.text$/, ['email']],
];

/** What is wrong with the words of the contact page. */
export function contactMistakes(site: Site): string[] {
	const messages: string[] = [];
	const files = filesOf(site.root);
	for (const file of files) {
		const twin = files.find((other) => other < file && other.toLowerCase() === file.toLowerCase());
		if (!isLanguage(file))
			messages.push(told(file, { found: 'a name that is no language', wanted: 'a BCP 47 tag and .yaml, such as pt-BR.yaml' }));
		else if (twin !== undefined) messages.push(told(file, { found: `the same language as ${twin}`, wanted: 'one of the two' }));
		else {
			const source = textIn(site.root, file, messages);
			complaining(messages, () => parseContentFile(file, source, schemaIn(languageOf(file))));
			messages.push(...wordMistakes(file, source, site));
		}
	}
	return messages;
}

/** Where the contact page is published, in each language. */
export const contactPaths = (root: string): string[] =>
	filesOf(root)
		.filter(isLanguage)
		.map((file) => pathIn(languageOf(file), paths.contact));

const filesOf = (root: string) => languageFolders(root).map((language) => `content/${language}/contact.yaml`);

function isLanguage(file: string): boolean {
	try {
		return languageOf(file) !== '';
	} catch {
		return false;
	}
}

/** Facts and placeholders that nothing fills in. */
function wordMistakes(file: string, source: string, site: Site): string[] {
	const messages: string[] = [];
	const lines = new LineCounter();
	const document = parseDocument(source, { lineCounter: lines });
	// Where it is not valid, what stands where is a guess.
	if (document.errors.length > 0) return [];
	visit(document, {
		Scalar(key, { value, range }, ancestors) {
			if (key !== 'value' || typeof value !== 'string') return;
			const field = ancestors.flatMap((node) => ('key' in node && isScalar(node.key) ? String(node.key.value) : [])).join('.');
			const { line } = lines.linePos(range![0]);
			for (const { found, wanted } of [...factMistakes(value, site), ...placeholderMistakes(field, value)])
				messages.push(told(file, { line, field, found, wanted }));
		},
	});
	return messages;
}

function* placeholderMistakes(field: string, text: string): Generator<Mistake> {
	const [, known = []] = placeholders.find(([pattern]) => pattern.test(field)) ?? [];
	const wanted = known.map((name) => `{${name}}`).join(' or ') || 'no braces here';
	for (const [found, name] of text.matchAll(/(?<!\{)\{([^{}]*)\}(?!\})/g)) if (!known.includes(name!)) yield { found, wanted };
}
