import { STATUS_CODES } from 'node:http';
import { type ProblemName, problems } from '../../api/answer.ts';
import { openapi, type Operation } from '../../discovery/openapi.ts';
import { type JsonSchema, type Reference, type Response, rulesOf } from '../../discovery/openapi-document.ts';
import { mayHaveHeader } from '../../discovery/openapi-responses.ts';
import { facts, links, origin, service } from '../../facts/load.ts';

/** The description that `/openapi.json` publishes, and the only source of the API reference. */
export const description = openapi({ service, facts, origin, links });

/** Every described operation, with its method in lower case, its absolute URL, and the URL's path. */
export const operations = Object.entries(description.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => ({ operation, method, url: origin + path, path })),
);

/** Returns the header that carries an API key, with the public test key, if the operation takes one. */
export function keyHeadersOf({ security }: Operation): { name: string; value: string; description: string }[] {
	if (!security.some((requirement) => 'apiKey' in requirement)) return [];
	const { apiKey } = description.components.securitySchemes;
	return [{ name: 'Authorization', value: `Bearer ${facts['key.test']}`, description: apiKey!.description }];
}

/** Returns the first example of a request body. */
export const exampleOf = ({ requestBody }: Operation) =>
	Object.values(requestBody?.content['application/json'].examples ?? {})[0];

/** Follows the reference of a schema, if it is one. */
export const schemaOf = (schema: JsonSchema): JsonSchema =>
	schema.$ref === undefined ? schema : schemaNamed(nameIn(schema.$ref));

/** Returns the schema with a name in `components`. */
export const schemaNamed = (name: string): JsonSchema => description.components.schemas[name] ?? {};

/** A member of an object, or a header. */
export interface Field {
	name: string;
	/** Says when the member is there, such as `required`. */
	need: string;
	/** The type of the value, and its rules: phrases in Markdown. */
	rules: string[];
	/** In Markdown. */
	description: string | undefined;
	example: string | undefined;
	/** The member's error codes, in Markdown. */
	errors?: string[];
}

/** Returns the members of a schema in words, in order, each followed by the members of objects in it, such as `errors[].code`. */
export const fieldsOf = (of: JsonSchema, codes: string[] = []): Field[] =>
	membersOf(whole(of)).map(({ name, schema, required }) => ({
		name,
		need: required ? 'required' : 'optional',
		rules: [typeOf(schema), ...rulesOf(schema)],
		description: schema.description,
		example: JSON.stringify(schema.examples?.[0]),
		errors: codes.filter((code) => code.startsWith(`${name}_`)).map((code) => `\`${code}\``),
	}));

function membersOf({ properties, required }: JsonSchema, within = ''): { name: string; schema: JsonSchema; required: boolean }[] {
	return Object.entries(properties!).flatMap(([member, property]) => {
		const schema = whole(property as JsonSchema);
		const name = within + member;
		let [inner, place] = [schema, name];
		while (inner.items) [inner, place] = [whole(inner.items as JsonSchema), `${place}[]`];
		return [{ name, schema, required: required!.includes(member) }].concat(membersOf(inner, `${place}.`));
	});
}

/** Returns a schema merged with those of its reference and its `allOf`. */
function whole(given: JsonSchema): JsonSchema {
	const { allOf = [], ...schema } = schemaOf(given);
	const parts = [...allOf.map((part) => whole(part as JsonSchema)), schema];
	return {
		...(Object.assign({}, ...parts) as JsonSchema),
		properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as JsonSchema['properties'],
		required: parts.flatMap(({ required = [] }) => required),
	};
}

const typeOf = ({ type, items }: JsonSchema): string =>
	items ? `${type} of ${typeOf(whole(items as JsonSchema))}` : [type].flat().join(' or ');

/** Returns the headers that a client may send. */
export const headersOfRequest = (operation: Operation): Field[] =>
	[...keyHeadersOf(operation), ...(operation.parameters ?? [])].map((header) => {
		const { name, description } = header;
		return { name, need: 'optional', rules: [], description, example: 'value' in header ? header.value : undefined };
	});

/** Returns the answers of an operation, one for each success and each problem. */
export const answersOf = ({ operationId, responses }: Operation) =>
	Object.entries(responses).flatMap(([status, response]) => {
		const { description, headers, content } = responseOf(response);
		return Object.entries(content).flatMap(([mediaType, { examples }]) =>
			Object.entries(examples).map(([name, { value }]) => {
				const problem = name in problems ? (name as ProblemName) : undefined;
				const own = Object.keys(headers)
					.filter((header) => !problem || mayHaveHeader(problem, header))
					.map((header) => headerIn(header, name, operationId));
				const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `Content-Type: ${mediaType}`];
				const http = [...head, ...own.map((header) => `${header.name}: ${header.value}`), '', JSON.stringify(value, null, 2)];
				const meaning = problem ? `${problems[problem].title}.` : description;
				return { status, name, problem, description: meaning, headers: own, http: http.join('\n') };
			}),
		);
	});

/** Follows the reference of an answer, if it is one. */
export const responseOf = (response: Response | Reference): Response =>
	'$ref' in response ? description.components.responses[nameIn(response.$ref)]! : response;

/** Returns the headers of all answers, each with the statuses that have it. */
export const headersOfAnswers = (answers: ReturnType<typeof answersOf>): Field[] => {
	const all = answers.flatMap(({ status, headers }) => headers.map((header) => Object.assign({ status }, header)));
	return [...Map.groupBy(all, ({ name }) => name)].map(([name, having]) => {
		const { description, rules, example } = having[0]!;
		const statuses = [...new Set(having.map(({ status }) => status))].join(', ');
		return { name, need: having.length === answers.length ? 'in every answer' : `with ${statuses}`, rules, description, example };
	});
};

/** Returns a header with its value in the example `answer` of an operation. */
function headerIn(name: string, answer: string, operationId: string) {
	const header = description.components.headers[name]!;
	const { examples = {} } = header;
	const example = examples[answer] ?? examples[operationId] ?? Object.values(examples)[0];
	const fixed = 'const' in header.schema;
	const value = String(fixed ? header.schema['const'] : (example?.value ?? header.example));
	const rules = fixed ? [`always \`${value}\``] : [];
	return { name, value, description: header.description, rules, example: fixed ? undefined : value };
}

const nameIn = (reference: string): string => reference.replace(/^.*\//, '');
