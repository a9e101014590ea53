import type * as z from 'zod';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export const text: JsonSchema = { type: 'string' };

/** Returns the rules for a value in words, in Markdown: a phrase for each keyword that our schemas use. */
export function rulesOf({ const: constant, format, enum: values, ...limits }: JsonSchema): string[] {
	const { minLength, maxLength, minimum, maximum, minItems = 0, maxItems } = limits;
	const characters = minLength === undefined ? `at most ${maxLength}` : `${minLength} to ${maxLength}`;
	const rules = [
		constant !== undefined && `always \`${JSON.stringify(constant)}\``,
		format !== undefined && `format \`${format}\``,
		maxLength !== undefined && `${characters} characters`,
		maximum !== undefined && `${minimum} to ${maximum}`,
		values && `one of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`,
		maxItems !== undefined && `${minItems} to ${maxItems} items`,
	];
	return rules.filter((rule) => typeof rule === 'string');
}

export interface Response {
	description: string;
	headers: Record<string, Reference>;
	content: Record<string, { schema: JsonSchema; examples: Record<string, { summary?: string; value: unknown }> }>;
}

export interface Header {
	description: string;
	required?: boolean;
	schema: JsonSchema;
	example?: string;
	/** By the name of the answer that has the header, such as a problem's. */
	examples?: Record<string, { value: string | number }>;
}

export type Reference = { $ref: string };
