import type { Operation } from '../../discovery/openapi-document.ts';
import { paths } from '../../service/links.ts';
import { exampleOf, keyHeadersOf } from './description.ts';

/** The call of an operation in TypeScript, by a client whose types are made from our description. */
export function clientSample(operation: Operation, method: string, { origin, pathname }: URL): string {
	const body = exampleOf(operation)?.value;
	const headers = Object.fromEntries(keyHeadersOf(operation).map(({ name, example }) => [name, example]));
	const members = JSON.stringify({ headers, body }, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:');
	const options = body === undefined ? '' : `, ${members}`;
	return `// npx openapi-typescript ${origin}${paths.openapi} --output api.d.ts
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const client = createClient<paths>({ baseUrl: '${origin}' });
const { data, error } = await client.${method.toUpperCase()}('${pathname}'${options});
console.log(data ?? error);`;
}
