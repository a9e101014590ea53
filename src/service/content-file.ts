import { LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { ContentError } from './content-error.ts';

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
	if (syntax) throw new ContentError([`${file}:${syntax.linePos?.[0].line ?? 1} is not valid YAML: ${syntax.message}`]);

	const value: unknown = document.toJS();
	const result = schema.safeParse(value);
	if (result.success) return result.data;

	const lineOf = (path: PropertyKey[]): number => {
		const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
		if (node?.range) return lines.linePos(node.range[0]).line;
		return path.length > 0 ? lineOf(path.slice(0, -1)) : 1;
	};
	throw new ContentError(
		result.error.issues.flatMap((issue) =>
			mistakes(issue, value).map(
				({ path, found, wanted }) => `${file}:${lineOf(path)} ${path.join('.')}: found ${found}, wanted ${wanted}.`,
			),
		),
	);
}

interface Mistake {
	path: PropertyKey[];
	found: string;
	wanted: string;
}

function mistakes(issue: z.core.$ZodIssue, value: unknown): Mistake[] {
	if (issue.code === 'unrecognized_keys')
		return issue.keys.map((key) => ({
			path: [...issue.path, key],
			found: 'a member that does not exist',
			wanted: 'no such member: correct its name or delete the line',
		}));
	const found = JSON.stringify(valueAt(value, issue.path)) ?? 'nothing';
	return [{ path: issue.path, found, wanted: wanted(issue) }];
}

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
	path.reduce<unknown>((parent, key) => (parent as Record<PropertyKey, unknown>)[key], value);

function wanted(issue: z.core.$ZodIssue): string {
	if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) return `a ${issue.expected}`;
	if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
	if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
		return issue.options.map((option) => JSON.stringify(option)).join(' or ');
	return issue.message;
}
