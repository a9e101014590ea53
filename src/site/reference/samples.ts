import { snippetz } from '@scalar/snippetz';
import type { Operation } from '../../discovery/openapi.ts';
import { paths } from '../../facts/links.ts';
import { facts } from '../../facts/load.ts';
import { exampleOf, keyHeadersOf } from './description.ts';

/**
 * Returns the call of an operation in each language, with its first example, and with the public test key if it takes a key. Each
 * runs without changes, and says above `consent` who may agree.
 */
export function samplesOf(operation: Operation, method: string, url: string) {
	const example = exampleOf(operation);
	const mimeType = 'application/json';
	const request = {
		url,
		method: method.toUpperCase(),
		...(example && {
			headers: [{ name: 'Content-Type', value: mimeType }, ...keyHeadersOf(operation)],
			postData: { mimeType, text: JSON.stringify(example.value) },
		}),
	};
	const { print } = snippetz();
	const script = `const response = await ${print('js', 'fetch', request)};\nconsole.log(response.status, await response.json());`;
	// The members of the body stand deeper than the option that has them.
	const shell = (print('shell', 'curl', request) ?? '').replace(/ --data '[^']*'/, (data) => data.replaceAll('\n', '\n  '));
	const python = `import requests\n\nresponse = ${print('python', 'requests', request)}\nprint(response.status_code, response.json())`;
	const call = print('php', 'curl', request)?.replace('curl_exec($ch);\n\ncurl_close($ch);', 'curl_exec($ch);');
	const php = `<?php\n${call}\necho ' ', curl_getinfo($ch, CURLINFO_RESPONSE_CODE);`;
	const samples: [title: string, language: string, code: string][] = [
		['curl', 'bash', shell],
		['JavaScript', 'javascript', script],
		['Python', 'python', python],
		['PHP', 'php', php],
		['TypeScript', 'typescript', clientSample(operation, method, new URL(url))],
	];
	return samples.map(([title, language, code]) => ({ title, language, code: withConsentRule(code, language) }));
}

function clientSample(operation: Operation, method: string, { origin, pathname }: URL): string {
	const body = exampleOf(operation)?.value;
	const headers = Object.fromEntries(keyHeadersOf(operation).map(({ name, value }) => [name, value]));
	const members = JSON.stringify({ headers, body }, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:');
	const options = body === undefined ? '' : `, ${members}`;
	return `// npx openapi-typescript ${origin}${paths.openapi} --output api.d.ts
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const client = createClient<paths>({ baseUrl: '${origin}' });
const { data, error } = await client.${method.toUpperCase()}('${pathname}'${options});
console.log(data ?? error);`;
}

function withConsentRule(code: string, language: string): string {
	const rule = facts['consent.rule'];
	// A shell knows no comment inside the data.
	if (language === 'bash') return code.includes('"consent"') ? `# consent: ${rule}\n${code}` : code;
	return code.replace(/^( *)["']?consent\b/m, `$1${language === 'python' ? '#' : '//'} ${rule}\n$&`);
}
