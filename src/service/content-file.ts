import { LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import * as z from 'zod';
import { ContentError } from './content-error.ts';
import { type Mistake, told } from './mistake.ts';
import { instead } from './nearest.ts';

/**
 * Parses an editor's YAML file.
 *
 * @param file the path to name in messages, from the project's root
 * @throws {ContentError} one line for each mistake: file, line, field, what was found and what is wanted
 */
export function parseContentFile<Schema extends z.ZodType>(file: string, source: string, schema: Schema): z.output<Schema> {
	const lines = new LineCounter();
	const document = parseDocument(source, { lineCounter: lines });
	const syntax = document.errors[0];
	if (syntax) {
		const line = syntax.linePos?.[0].line ?? 1;
		throw new ContentError([`${file}:${line} is not valid YAML: ${whatToDo(syntax, lineOfText(source, line))}.`]);
	}

	// A name without a value says nothing.
	const value: unknown = document.toJS({ reviver: (_, member: unknown) => member ?? undefined }) ?? {};
	const result = schema.safeParse(value);
	if (result.success) return result.data;

	const lineOf = (path: PropertyKey[]): number => {
		// The name of a member that has none is an empty string in data only.
		const node = document.getIn(
			path.map((key) => (key === '' ? null : key)),
			true,
		) as { range?: [number, number, number] } | undefined;
		if (node?.range) return lines.linePos(node.range[0]).line;
		return path.length > 0 ? lineOf(path.slice(0, -1)) : 1;
	};
	const mistakes = result.error.issues.flatMap((issue) => mistakesOf(issue, value, schema));
	const messages = mistakes.map(({ path, ...mistake }) => {
		const line = lineOf(path);
		return told(file, { line, ...(bareBraces(lineOfText(source, line)) ?? { field: path.join('.'), ...mistake }) });
	});
	throw new ContentError([...new Set(messages)]);
}

const lineOfText = (source: string, line: number) => source.split(/\r?\n/)[line - 1] ?? '';

/** Words that begin with a name in braces: YAML takes the braces for data. */
function bareBraces(text: string): Mistake | undefined {
	const [, field, found] = /^\s*([\w-]+):\s+(\{\{?[\w.:]+\}.*)$/.exec(text) ?? [];
	return field === undefined || found === undefined ? undefined : { field, found, wanted: 'it in quotes' };
}

function whatToDo({ code, message }: YAMLParseError, text: string): string {
	const braces = bareBraces(text);
	if (braces) return `put the words of ${braces.field} in quotes`;
	if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'put the value in quotes if it has a colon, or correct the indentation';
	if (code === 'TAB_AS_INDENT') return 'put spaces in front of the words, in the place of tabs';
	return message.split(/ at line |\n/, 1)[0]!;
}

interface DataMistake extends Mistake {
	path: PropertyKey[];
}

function mistakesOf(issue: z.core.$ZodIssue, value: unknown, schema: z.ZodType): DataMistake[] {
	if (issue.code === 'unrecognized_keys') {
		const members = membersAt(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), issue.path);
		return issue.keys.map((key) => ({
			path: [...issue.path, key],
			found: 'a member that does not exist',
			wanted: instead(key, members),
		}));
	}
	const found = JSON.stringify(valueAt(value, issue.path)) ?? 'nothing';
	return [{ path: issue.path, found, wanted: wanted(issue) }];
}

/** The names that an object may have at a place of a schema. */
function membersAt(schema: z.core.JSONSchema.BaseSchema, path: PropertyKey[]): string[] {
	const { properties = {}, additionalProperties, items } = schema;
	const [key, ...rest] = path;
	const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((choice) => membersAt(choice, path));
	if (key === undefined) return [...Object.keys(properties), ...choices];
	const inner = properties[String(key)] ?? additionalProperties ?? items;
	return [...(typeof inner === 'object' && !Array.isArray(inner) ? membersAt(inner, rest) : []), ...choices];
}

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
	path.reduce<unknown>((parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key], value);

function wanted(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type' && issue.expected === 'boolean') return 'true or false';
	if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
		return `${issue.expected === 'object' ? 'an' : 'a'} ${issue.expected}`;
	if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
	if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
		return issue.options.map((option) => JSON.stringify(option)).join(' or ');
	return issue.message;
}
