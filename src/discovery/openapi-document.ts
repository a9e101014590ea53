import type * as z from 'zod';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schemes by name; `{}` means no credentials. A client needs one of a list. OpenAPI 3.1.0 allows no scopes on an `http` scheme. */
type SecurityRequirement = Record<string, string[]>;

export interface Operation {
	operationId: string;
	tags: string[];
	summary: string;
	description: string;
	security: SecurityRequirement[];
	parameters?: Parameter[];
	requestBody?: { required: true; description: string; content: Content };
	/** By status. `default`: for any other. */
	responses: Record<string, Response>;
}

/** A header of the request. Has no example: clients send it as it is, and all of them would send the same. */
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
