import type { MarkdownHeading } from 'astro';
import { slug } from 'github-slugger';
import { openapi } from '../../discovery/openapi.ts';
import type {
	Content,
	Header,
	JsonSchema,
	OpenApi,
	Operation,
	Parameter,
	Reference,
	Response,
} from '../../discovery/openapi-document.ts';
import { defaultLanguage, facts, links, origin, service, wordsIn } from '../../facts/load.ts';

/** The description that `/openapi.json` publishes: all that the API reference shows comes from it. */
export const description: OpenApi = openapi({ service, words: wordsIn(defaultLanguage), origin, links });

/** An operation, with its method in lower case, its absolute URL, and the path in that. */
export interface Described {
	operation: Operation;
	method: string;
	url: string;
	path: string;
}

/** Every operation that is described. */
export const operations: Described[] = Object.entries(description.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => ({ operation, method, url: origin + path, path })),
);

/** The heading of an operation in the API reference. */
export const headingOf = ({ operation: { summary } }: Pick<Described, 'operation'>): MarkdownHeading => ({
	depth: 2,
	slug: slug(summary),
	text: summary,
});

/** The headings of the API reference with those of its operations, which stand above the last. */
export const withOperations = (headings: MarkdownHeading[]) => headings.toSpliced(-1, 0, ...operations.map(headingOf));

/** The header that carries an API key, with the one for trying out, where the operation takes one. */
export function keyHeadersOf({ security }: Operation): Omit<Parameter, 'in' | 'schema'>[] {
	if (!security.some((requirement) => 'apiKey' in requirement)) return [];
	const { apiKey } = description.components.securitySchemes;
	return [{ name: 'Authorization', example: `Bearer ${facts['key.test']}`, description: apiKey!.description }];
}

/** Every example of a body, by its name. */
export const examplesOf = (content: Content = {}) => Object.values(content).flatMap(({ examples }) => Object.entries(examples));

/** The first example of a request body. */
export const exampleOf = ({ requestBody }: Operation) => examplesOf(requestBody?.content)[0]?.[1];

/** Where on the page an answer of an operation is shown, by the name of its problem or else its status. */
export const answerId = (operationId: string, name: string): string => `${operationId}-${name}`;

/** Where on the page the example of a problem is shown, if an operation has one. */
export function problemExampleId(problem: string): string | undefined {
	const found = operations.find(({ operation: { responses } }) =>
		Object.values(responses).some(({ content }) => examplesOf(content).some(([name]) => name === problem)),
	);
	return found && answerId(found.operation.operationId, problem);
}

/** A schema, or the one that it refers to. */
export const schemaOf = (schema: JsonSchema): JsonSchema =>
	schema.$ref === undefined ? schema : schemaNamed(nameIn(schema.$ref));

/** The schema of a name in `components`. */
export const schemaNamed = (name: string): JsonSchema => description.components.schemas[name] ?? {};

/** A header, or the one that is referred to. */
const headerOf = (header: Header | Reference): Header =>
	'$ref' in header ? description.components.headers[nameIn(header.$ref)]! : header;

/** The headers of an answer, each with the value that it has in the example of this name. */
export const headersOf = ({ headers }: Response, answer?: string) =>
	Object.entries(headers).map(([name, header]) => {
		const { schema, example, examples, description } = headerOf(header);
		const [first] = Object.values(examples ?? {});
		const value = 'const' in schema ? schema.const : ((examples?.[answer ?? ''] ?? first)?.value ?? example);
		return { name, value: String(value ?? ''), description };
	});

const nameIn = (reference: string): string => reference.replace(/^.*\//, '');
