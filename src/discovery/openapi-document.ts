import type * as z from 'zod';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The part of OpenAPI 3.1.0 that our description uses: narrower than the specification, so that its readers need not guess. */
export interface OpenApi {
	openapi: '3.1.0';
	info: {
		title: string;
		version: string;
		summary: string;
		description: string;
		contact: { name: string; url: string; email: string };
		license: { name: string; identifier: string };
	};
	externalDocs: { url: string; description: string };
	servers: { url: string; description: string }[];
	security: SecurityRequirement[];
	tags: { name: string; description: string }[];
	/** By path, then by method in lower case. */
	paths: Record<string, Record<string, Operation>>;
	components: {
		schemas: Record<string, JsonSchema>;
		headers: Record<string, Header>;
		securitySchemes: Record<string, SecurityScheme>;
	};
}

/** Schemes by name; `{}` means no credentials. A client needs one of a list. OpenAPI 3.1.0 allows no scopes on an `http` scheme. */
type SecurityRequirement = Record<string, string[]>;

/** A key in the header `Authorization` (RFC 6750 section 2.1). */
interface SecurityScheme {
	type: 'http';
	scheme: 'bearer';
	description: string;
}

export interface Operation {
	operationId: string;
	tags: string[];
	summary: string;
	description: string;
	security: SecurityRequirement[];
	parameters?: Parameter[];
	requestBody?: { required: true; description: string; content: Content };
	/** By status. */
	responses: Record<string, Response>;
}

/** A header of the request. */
export interface Parameter {
	name: string;
	in: 'header';
	description: string;
	schema: JsonSchema;
	example: string;
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
