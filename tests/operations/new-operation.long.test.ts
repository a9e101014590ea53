import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages, origin } from '../../src/facts/load.ts';
import { startFunction } from '../support/function.ts';
import { METRICS, scrape } from '../support/metrics.ts';
import { TestProcess } from '../support/process.ts';
import { startBuilt } from '../support/server.ts';
import { type Spoil, startProxy } from '../support/spoiling-proxy.ts';
import { copyOfProject } from '../support/project-copy.ts';

const section = /## Add an operation\n([^]*?)\n## /.exec(readFileSync('src/server/README.md', 'utf8'))![1]!;
/** The code of the recipe, without the indent of its list. */
const [file, row] = [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!.replaceAll(/^ {3}/gm, ''));

describe('an operation that is added as the README says', () => {
	let copy: Awaited<ReturnType<typeof copyOfProject>>;
	beforeAll(async () => {
		copy = await copyOfProject(languages);
		await copy.write('src/operations/languages.ts', file!);
		await copy.edit('src/operations/operations.ts', /^/, "import { getLanguages, languagesSchema } from './languages.ts';\n");
		await copy.edit('src/operations/operations.ts', /\];\n$/, `${row}];\n`);
		await copy.buildWhole();
	});
	afterAll(() => copy[Symbol.asyncDispose]());

	const startServer = (env = {}) => startBuilt(copy.at('var/test/dist'), env);

	test.each([
		['the server', () => startServer()],
		['the function', () => startFunction({}, copy.at('var/test/dist'))],
	])('is served by %s', async (_, start) => {
		await using running = await start();
		const ask = (method: string) => fetch(`${running.url}/api/languages`, { method });
		expect(await (await ask('GET')).json()).toEqual({ languages });
		const [head, put, options] = [await ask('HEAD'), await ask('PUT'), await ask('OPTIONS')];
		expect([head.status, await head.text()]).toEqual([200, '']);
		expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
		expect([options.status, options.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD']);
	});

	test.each([
		['openapi.json', '"operationId":"getLanguages"'],
		['openapi.json', '"#/components/schemas/Languages"'],
		['.well-known/api-catalog', `"anchor":"${origin}/api/languages"`],
		['llms.txt', `List the languages: \`GET ${origin}/api/languages\`.`],
		['llms-full.txt', '## List the languages'],
		['auth.md', ` and \`GET ${origin}/api/languages\` need no credential.`],
		['docs.md', '| List the languages | `GET /api/languages` |'],
		['docs/api.md', '## List the languages'],
		['docs/api.md', `curl ${origin}/api/languages`],
		['docs/api.html', '<a href="#list-the-languages">'],
		['docs/search.json', 'list-the-languages'],
	])('stands in %s: %s', async (path, words) => {
		expect(await copy.built(path)).toContain(words);
	});

	test('leaves no sentence with the number of those before it', async () => {
		for (const path of ['openapi.json', 'llms-full.txt', 'auth.md', 'docs/api/explorer.html'])
			expect([path, /\b(both|two) operations/i.exec(await copy.built(path))?.[0]]).toEqual([path, undefined]);
	});

	test('is counted by its name, and the doctor asks for it', async () => {
		await using server = await startServer(METRICS);
		await (await fetch(`${server.url}/api/languages`)).text();
		const counted = 'http_request_duration_seconds_count{operation="getLanguages",status="200"} 1';
		await expect.poll(() => scrape(server)).toContain(counted);
		const failing: Spoil = async ({ path }, ask) => ({ ...(await ask()), ...(path === '/api/languages' && { status: 500 }) });
		for (const [spoil, outcome] of [
			[undefined, 'ok'],
			[failing, 'fault'],
		] as const) {
			await using proxy = await startProxy({ target: server.url, spoil });
			const address = `http://127.0.0.1:${proxy.port}`;
			await using doctor = new TestProcess([copy.at('var/test/dist/server/doctor.mjs'), address, '--json']);
			await doctor.exit();
			expect(doctor.output).toMatch(new RegExp(`"check":\\s*"API: getLanguages",\\s*"outcome":\\s*"${outcome}"`));
		}
	});

	test('passes the tests of the documents and of the reference', async () => {
		const { code, output } = await copy.test(['tests/discovery', 'tests/site/reference', 'tests/site/samples']);
		expect(code, output).toBe(0);
	});
});
