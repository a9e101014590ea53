import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { origin } from '../../src/facts/load.ts';
import { description, operations, schemaOf } from '../../src/site/reference/description.ts';
import { samplesOf } from '../../src/site/reference/samples.ts';
import { shared } from '../support/shared.ts';
import { startStoring } from '../support/storing-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { unescaped } from '../support/unescaped.ts';

const storing = shared(() => startStoring());
/** Inside the project, whose packages the samples import. */
const folder = shared(() => temporaryFolder('var/test'));

/** The program that runs a sample and the extension of its file, by language. */
const programs: Record<string, { program: string; ending: string }> = {
	bash: { program: 'bash', ending: 'sh' },
	javascript: { program: process.execPath, ending: 'mjs' },
	python: { program: 'python3', ending: 'py' },
	typescript: { program: process.execPath, ending: 'ts' },
};

const reference = readFileSync('var/test/dist/client/docs/api.html', 'utf8');

/** Returns the code of a sample as a reader of the page would copy it. */
const copied = (id: string) =>
	unescaped(new RegExp(`data-sample="${id}"[^>]*>(.*?)</code>`, 's').exec(reference)![1]!.replace(/<[^>]*>/g, ''));

const samples = operations.flatMap(({ operation, method }) =>
	samplesOf(operation, method, origin).map(({ id, language }) => ({
		id,
		language,
		answered: schemaOf(operation.responses['200']!.content['application/json']!.schema).required as string[],
		/** Returns the sample for a server. */
		codeFor: (server: string) => copied(id).replaceAll(origin, server),
	})),
);

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const inPython = samples.filter(({ language }) => language === 'python');
const withoutPython = spawnSync('python3', ['--version']).status !== 0;
const withoutRequests = spawnSync('python3', ['-c', 'import requests']).status !== 0;

test.each(samples)('the sample $id runs as it is, and the server takes what it sends', async (sample) => {
	const { id, language, answered, codeFor } = sample;
	if (language === 'python' && withoutRequests) return console.warn(`${id} was not run: Python has no requests here.`);
	const { program, ending } = programs[language]!;
	const file = path.resolve(folder().path, `${id}.${ending}`);
	await writeFile(file, codeFor(storing().server.url));
	const { stdout } = await promisify(execFile)(program, [file]);
	for (const member of answered) expect(stdout).toContain(member);
});

test.skipIf(withoutPython).each(inPython)('the sample $id is Python', async ({ codeFor }) => {
	const compile = `compile(${JSON.stringify(codeFor('https://localhost'))}, 'sample', 'exec')`;
	await promisify(execFile)('python3', ['-c', compile]);
});

test('the samples in TypeScript have the types of the description', async () => {
	const home = path.resolve(folder().path, 'types');
	const typed = samples.filter(({ language }) => language === 'typescript');
	const compilerOptions = { strict: true, module: 'preserve', lib: ['es2022', 'dom'], types: [], noEmit: true };
	await mkdir(home);
	await writeFile(`${home}/api.d.ts`, astToString(await openapiTS(description as unknown as OpenAPI3, { silent: true })));
	for (const { id, codeFor } of typed) await writeFile(`${home}/${id}.ts`, codeFor('https://localhost'));
	await writeFile(`${home}/tsconfig.json`, JSON.stringify({ compilerOptions }));
	const checked = spawnSync(process.execPath, [compiler, '--project', home], { encoding: 'utf8' });
	expect([checked.status, checked.stdout]).toEqual([0, '']);
});
