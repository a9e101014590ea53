import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApi } from '../../src/discovery/openapi.ts';

type Answer = Pick<Response, 'status' | 'headers'> & { body: string };

/** The description that `npm run test:build` built. */
export const description = JSON.parse(readFileSync('var/test/dist/client/openapi.json', 'utf8')) as OpenApi;

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema({ ...description, $id: 'openapi' });

/** Compares an answer with the description. @returns the differences, or nothing if the description fits */
export function differencesOf({ status, headers, body }: Answer, path: string, method: string): string[] {
	const response = description.paths[path]?.[method]?.responses[status];
	if (response === undefined) return [`${status} is not described`];
	const name = '$ref' in response ? response.$ref.split('/').at(-1)! : undefined;
	const place = name ? ['components', 'responses', name] : ['paths', path, method, 'responses', status];
	const described = '$ref' in response ? description.components.responses[name!]! : response;
	const known = description.components.headers;
	const missing = Object.keys(described.headers).filter((name) => known[name]!.required && !headers.has(name));
	const type = headers.get('content-type') ?? '';
	if (!(type in described.content)) return [`${status} as ${type} is not described`];
	const steps = [...place, 'content', type, 'schema'].map((step) => encodeURIComponent(String(step).replaceAll('/', '~1')));
	const validate = ajv.getSchema(`openapi#/${steps.join('/')}`)!;
	const faults: object[] = validate(JSON.parse(body)) ? [] : (validate.errors ?? []);
	return [...missing.map((name) => `${name} is missing`), ...faults.map((fault) => JSON.stringify(fault))];
}
