import type * as z from 'zod';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

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

/** Schemes by name; `{}` means no credentials. A client has to meet one requirement of a list. OpenAPI 3.1.0 allows no scopes on an `http` scheme. */
type SecurityRequirement = Record<string, string[]>;

export interface Operation {
	operationId: string;
	tags: string[];
	summary: string;
	description: string;
	security: SecurityRequirement[];
	parameters?: Parameter[];
	requestBody?: { required: true; description: string; content: Content };
	/** By status. `default` is for all others. */
	responses: Record<string, Response>;
}

/** A header of the request. It has no example: tools send an example as it is, so all clients would send the same value. */
export interface Parameter {
	name: string;
	in: 'header';
	description: string;
	schema: JsonSchema;
}

export interface Response {
	description: string;
	headers: Record<string, Header | Reference>;
	content: Content;
}

/** By media type. */
export type Content = Record<string, { schema: JsonSchema; examples: Record<string, { summary: string; value: unknown }> }>;

export interface Header {
	description: string;
	required?: boolean;
	schema: JsonSchema;
	example?: string;
	/** By the name of the answer that has the header, such as a problem's. */
	examples?: Record<string, { value: string | number }>;
}

export interface Reference {
	$ref: string;
}
