import { type Document, isAlias, isPair, isScalar, parseDocument, visit, type YAMLParseError } from 'yaml';
import * as z from 'zod';
import { ContentError, lineAt, type Mistake, mistakeText, suggestionFor } from './mistake.ts';

/**
 * Parses an editor's YAML file.
 * @param file the path to name in messages, from the project's root
 * @param lower data for the names that the file does not have
 * @throws {ContentError} one line for each mistake: file, line, field, what was found and what is wanted
 */
export function parseContentFile<Data>(file: string, source: string, schema: z.ZodType<Data>, lower?: unknown): Data {
	const { document, fault, lineOf } = readYaml(source);
	if (fault) throw new ContentError([`${file}:${fault.line} is not valid YAML: ${fault.remedy}.`]);

	const misread = misreadNumbers(document);
	const value = mergeOver(lower, document.toJS()) ?? {};
	const { success, data, error } = schema.safeParse(value, { error: instruction, reportInput: true });
	if (success && misread.length === 0) return data;

	const mistakes = error?.issues.flatMap((issue) => mistakesOf(issue)) ?? [];
	// A name that is misspelt is not missing as well.
	const meant = new Set(
		mistakes.map(({ path, wanted }) => String([...path.slice(0, -1), /did you mean (\S+)\?$/.exec(wanted)?.[1]])),
	);
	const told = mistakes.filter(({ path, found }) => found !== 'nothing' || !meant.has(String(path)));
	const messages = [...misread, ...told].map(({ path, ...mistake }) => {
		return mistakeText(file, { line: lineOf(path), field: path.join('.'), ...mistake });
	});
	throw new ContentError([...new Set(messages)]);
}

/** Returns a file's JSON Schema, with our words for values in a wrong form, which the YAML language server shows. */
export const jsonSchemaOf = (schema: z.ZodType) =>
	z.toJSONSchema(schema, {
		io: 'input',
		unrepresentable: 'any',
		override({ zodSchema, jsonSchema }) {
			if (!jsonSchema.pattern && !jsonSchema.format && !jsonSchema.enum) return;
			const { error } = z.safeParse(zodSchema, '', { error: instruction });
			jsonSchema['errorMessage'] = `Wanted: ${error?.issues[0]?.message}`;
		},
	});

/** Reads YAML. `fault` is the first fault of syntax, if there is one. `lineOf` finds the line of the value at a path, from 1. */
export function readYaml(source: string) {
	const document = parseDocument(source);
	const faults = document.errors.map(({ code, message, linePos }) => ({
		line: linePos?.[0].line ?? 1,
		remedy: remedies[code] ?? message.split(/ at line |\n/, 1)[0]!,
	}));
	// Signs of YAML that an editor means as words: `*Front` would throw, `&Sons`, `!Now` and what follows in `Suite #200` would get lost.
	visit(document, {
		Node(_, node) {
			const isCut = isScalar(node) && node.type === 'PLAIN' && typeof node.value === 'string' && /^\S/.test(node.comment ?? '');
			if (isAlias(node) || node.anchor || node.tag || isCut)
				faults.push({ line: lineAt(source, node.range![0]), remedy: inQuotes });
		},
	});
	return { document, fault: faults[0], lineOf: (path: PropertyKey[]) => lineAt(source, offsetOf(path, document)) };
}

/**
 * Merges two values at any depth; lists are not merged. The upper one wins. A name without a value counts as absent. It stays: where it
 * must have a value, it is a mistake.
 */
export function mergeOver(lower: unknown, upper: unknown): unknown {
	if (Array.isArray(upper)) return upper.map((entry) => mergeOver(undefined, entry));
	if (typeof upper !== 'object' || upper === null) return upper ?? lower ?? undefined;
	const below: Record<string, unknown> = typeof lower === 'object' ? { ...lower } : {};
	for (const [name, member] of Object.entries(upper)) below[name] = mergeOver(below[name], member);
	return below;
}

function offsetOf(path: PropertyKey[], document: Document): number {
	// Data names a member without a name by an empty string; the document names it by null.
	const keys = path.map((key) => (key === '' ? null : key));
	const node = document.getIn(keys, true) as { range?: [number, number, number] } | undefined;
	if (node?.range) return node.range[0];
	return path.length > 0 ? offsetOf(path.slice(0, -1), document) : 0;
}

const inQuotes = 'put the whole value in quotes, in double ones if it has an apostrophe';
const remedies: Partial<Record<YAMLParseError['code'], string>> = {
	BAD_INDENT: 'begin the lines of a group with as many spaces each, and close its brackets',
	BAD_SCALAR_START: inQuotes,
	BLOCK_AS_IMPLICIT_KEY: 'put the value in quotes if it has a colon, or correct the indentation',
	DUPLICATE_KEY: 'leave one of the lines with this name',
	MISSING_CHAR: 'write a colon and a space behind the name, or close the quotes that begin above',
	MULTILINE_IMPLICIT_KEY: 'write a colon and a space behind the name, or spaces in front of what goes on with the text above',
	TAB_AS_INDENT: 'put spaces in front of the words, in the place of tabs',
	UNEXPECTED_TOKEN: inQuotes,
};

type DataMistake = Mistake & { path: PropertyKey[] };

/** Finds numbers that YAML reads otherwise than the editor meant: a dot between thousands begins decimals. */
function misreadNumbers(document: Document): DataMistake[] {
	const mistakes: DataMistake[] = [];
	visit(document, {
		Scalar(place, { source: text = '', value }, ancestors) {
			// No list has numbers: there the schema wants words.
			const isWanted = place === 'value' && typeof value === 'number';
			if (!isWanted || !/^[+-]?[1-9]\d{0,2}\.\d\d0$/.test(text)) return;
			const wanted = `${text.replace('.', '')}, or ${value} if the dot begins decimals`;
			const path = ancestors.flatMap((node) => (isPair(node) ? String(node.key) : []));
			mistakes.push({ path, found: text, wanted });
		},
	});
	return mistakes;
}

function mistakesOf(issue: z.core.$ZodIssue): DataMistake[] {
	if (issue.code === 'unrecognized_keys')
		return issue.keys.map((key) => {
			const wanted = /^\d+$/.test(key) ? 'a dot in place of the comma' : suggestionFor(key, issue.message.split(' '));
			return { path: [...issue.path, key], found: 'a member that does not exist', wanted };
		});
	// A schema of ours may name the part that is wrong.
	const part = issue.code === 'custom' ? (issue.params?.['found'] as string | undefined) : undefined;
	return [{ path: issue.path, found: part ?? JSON.stringify(issue.input)?.slice(0, 200) ?? 'nothing', wanted: issue.message }];
}

/** Says what to write, where the schema has no message of its own: for members that do not exist, the names of those that do. */
const instruction: z.core.$ZodErrorMap = (issue) => {
	switch (issue.code) {
		case 'unrecognized_keys':
			return Object.keys((issue.schema as z.ZodObject).shape).join(' ');
		case 'invalid_type':
			if (issue.expected === 'string' && /^(boolean|number)$/.test(typeof issue.input)) return 'it in quotes, as it is written';
			if (issue.expected === 'string' && typeof issue.input === 'object') return 'words, in quotes if they begin with {';
			return types[issue.expected];
		case 'invalid_value': {
			const all = issue.values.map((value) => JSON.stringify(value)).join(' or ');
			return suggestionFor(String(issue.input), issue.values.map(String), all);
		}
		case 'invalid_format':
			return issue.format === 'email' ? 'an email address, such as sales@clinic.example' : undefined;
		case 'too_small':
			if (issue.origin !== 'number') return issue.origin === 'array' ? types.array : types.string;
			return `a number ${issue.inclusive ? 'from' : 'above'} ${issue.minimum}`;
		default:
			return undefined;
	}
};

const types: Partial<Record<z.core.$ZodInvalidTypeExpected, string>> = {
	string: 'some words',
	number: 'a number, such as 10 or 0.5',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list, each entry on a line of its own behind a hyphen',
	object: 'names with their values, each on a line of its own below this one',
	record: 'names with their values, each on a line of its own below this one',
};
