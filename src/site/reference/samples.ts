import { snippetz } from '@scalar/snippetz';
import type { Operation } from '../../discovery/openapi-document.ts';
import { paths } from '../../facts/links.ts';
import { exampleOf, keyHeadersOf } from './description.ts';

/** A call of an operation in one language. */
export interface Sample {
	/** Names it for programs: `submitLead.curl`. */
	id: string;
	/** Language and library, for people. */
	title: string;
	/** Name of the language for the highlighter. */
	language: string;
	/** Runs without changes. */
	code: string;
}

/** Returns the call of an operation in each language, with its first example, and with the public test key if it takes a key. */
export function samplesOf(operation: Operation, method: string, url: string): Sample[] {
	const { operationId, requestBody } = operation;
	const [mimeType] = Object.keys(requestBody?.content ?? {});
	const example = exampleOf(operation);
	const request = {
		url,
		method: method.toUpperCase(),
		...(mimeType &&
			example && {
				headers: [
					{ name: 'Content-Type', value: mimeType },
					...keyHeadersOf(operation).map(({ name, example: value }) => ({ name, value })),
				],
				postData: { mimeType, text: JSON.stringify(example.value) },
			}),
	};
	const print = snippetz().print;
	const code = {
		curl: print('shell', 'curl', request),
		javascript: `const response = await ${print('js', 'fetch', request)};\nconsole.log(response.status, await response.json());`,
		python: `import requests\n\nresponse = ${print('python', 'requests', request)}\nprint(response.status_code, response.json())`,
		typescript: clientSample(operation, method, new URL(url)),
	};
	return clients.map(({ name, title, language }) => ({ title, language, id: `${operationId}.${name}`, code: code[name] ?? '' }));
}

const clients = [
	{ name: 'curl', title: 'curl', language: 'bash' },
	{ name: 'javascript', title: 'JavaScript', language: 'javascript' },
	{ name: 'python', title: 'Python', language: 'python' },
	{ name: 'typescript', title: 'TypeScript', language: 'typescript' },
] as const;

/** Returns the call of an operation in TypeScript, by a client with types from our description. */
function clientSample(operation: Operation, method: string, { origin, pathname }: URL): string {
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
