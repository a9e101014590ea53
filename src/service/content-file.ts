import { LineCounter, parseDocument } from 'yaml';
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
		const [what] = syntax.message.split(/ at line |\n/, 1);
		throw new ContentError([`${file}:${syntax.linePos?.[0].line ?? 1} is not valid YAML: ${what}.`]);
	}

	const value: unknown = document.toJS() ?? {};
	const result = schema.safeParse(value);
	if (result.success) return result.data;

	const lineOf = (path: PropertyKey[]): number => {
		const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
		if (node?.range) return lines.linePos(node.range[0]).line;
		return path.length > 0 ? lineOf(path.slice(0, -1)) : 1;
	};
	const mistakes = result.error.issues.flatMap((issue) => mistakesOf(issue, value, schema));
	throw new ContentError(mistakes.map(({ path, ...rest }) => told(file, { line: lineOf(path), field: path.join('.'), ...rest })));
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
	path.reduce<unknown>((parent, key) => (parent as Record<PropertyKey, unknown>)[key], value);

function wanted(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
		return `${issue.expected === 'object' ? 'an' : 'a'} ${issue.expected}`;
	if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
	if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
		return issue.options.map((option) => JSON.stringify(option)).join(' or ');
	return issue.message;
}
