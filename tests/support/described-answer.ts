import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../src/discovery/openapi.ts';

type Answer = Pick<Response, 'status' | 'headers'> & { body: string };

/** The description that `npm run test:build` built. */
export const description = JSON.parse(readFileSync('var/test/dist/client/openapi.json', 'utf8')) as OpenApi;

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema({ ...description, $id: 'openapi' });
const validators = new Map<object, ValidateFunction>();

function validatorFor(schema: object): ValidateFunction {
	// A schema outside the description can then refer into it.
	const rebased = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
	const validate = validators.get(schema) ?? ajv.compile(rebased);
	validators.set(schema, validate);
	return validate;
}

/** Compares an answer with the description. @returns the differences, or nothing if the description fits */
export function differencesOf({ status, headers, body }: Answer, path: string, method: string): string[] {
	const response = description.paths[path]?.[method]?.responses[status];
	if (response === undefined) return [`${status} is not described`];
	const described = '$ref' in response ? description.components.responses[status]! : response;
	const known = description.components.headers;
	const missing = Object.keys(described.headers).filter((name) => known[name]!.required && !headers.has(name));
	const content = described.content[headers.get('content-type') ?? ''];
	if (content === undefined) return [`${status} as ${headers.get('content-type')} is not described`];
	const validate = validatorFor(content.schema);
	const faults = validate(JSON.parse(body)) ? [] : (validate.errors ?? []);
	return [...missing.map((name) => `${name} is missing`), ...faults.map((fault) => JSON.stringify(fault))];
}
