import { openapi } from '../../discovery/openapi.ts';
import type { Content, Header, JsonSchema, Operation, Reference, Response } from '../../discovery/openapi-document.ts';
import { facts, links, origin, service } from '../../facts/load.ts';

/** The description that `/openapi.json` publishes, and the only source of the API reference. */
export const description = openapi({ service, facts, origin, links });

/** Every described operation, with its method in lower case, its absolute URL, and the URL's path. */
export const operations = Object.entries(description.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => ({ operation, method, url: origin + path, path })),
);

export type Described = (typeof operations)[number];

/** Returns the header that carries an API key, with the public test key, if the operation takes one. */
export function keyHeadersOf({ security }: Operation): { name: string; value: string; description: string }[] {
	if (!security.some((requirement) => 'apiKey' in requirement)) return [];
	const { apiKey } = description.components.securitySchemes;
	return [{ name: 'Authorization', value: `Bearer ${facts['key.test']}`, description: apiKey!.description }];
}

/** Returns every example of a body, by name. */
export const examplesOf = (content: Content = {}) => Object.values(content).flatMap(({ examples }) => Object.entries(examples));

/** Returns the first example of a request body. */
export const exampleOf = ({ requestBody }: Operation) => examplesOf(requestBody?.content)[0]?.[1];

/** Follows the reference of a schema, if it is one. */
export const schemaOf = (schema: JsonSchema): JsonSchema =>
	schema.$ref === undefined ? schema : schemaNamed(nameIn(schema.$ref));

/** Returns the schema with a name in `components`. */
export const schemaNamed = (name: string): JsonSchema => description.components.schemas[name] ?? {};

/** Follows the reference of a header, if it is one. */
const headerOf = (header: Header | Reference): Header =>
	'$ref' in header ? description.components.headers[nameIn(header.$ref)]! : header;

/** Returns the headers of an answer, each with its value in the example `answer`. */
export const headersOf = ({ headers }: Response, answer?: string) =>
	Object.entries(headers).map(([name, header]) => {
		const { schema, example, examples, description } = headerOf(header);
		const [first] = Object.values(examples ?? {});
		const value = 'const' in schema ? schema.const : ((examples?.[answer ?? ''] ?? first)?.value ?? example);
		return { name, value: String(value ?? ''), description };
	});

const nameIn = (reference: string): string => reference.replace(/^.*\//, '');
