import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { facts, origin } from '../../src/facts/load.ts';
import { description, operations } from '../../src/site/reference/description.ts';
import { runCommand } from '../support/operator-command.ts';
import type { RawAnswer } from '../support/fetch-raw.ts';
import { type Spoil, startProxy } from '../support/front.ts';
import { shared } from '../support/shared.ts';
import { startStoring } from '../support/lead-places.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeIn } from '../support/html.ts';

const storing = shared(() => startStoring({ LEAD_RATE_LIMIT: '1000/1h' }));
/** Inside the project, whose packages the samples import. */
const folder = shared(() => temporaryFolder('var/test'));

/** The program that runs a sample and the extension of its file, by language. */
const programs: Record<string, [program: string, extension: string]> = {
	bash: ['bash', 'sh'],
	javascript: [process.execPath, 'mjs'],
	python: ['python3', 'py'],
	php: ['php', 'php'],
	typescript: [process.execPath, 'ts'],
};

const built = (page: string) => readFileSync(`var/test/dist/client/docs/${page}.html`, 'utf8');
const reference = built('api').matchAll(/<pre [^>]*aria-label="(\w+) with (\w+)" class="language-(\w+)">(.*?)<\/pre>/gs);
const samples = Array.from(reference, ([, operation, title, language, html]) => ({
	id: `${operation}-with-${title}`,
	language: language!,
	code: codeIn(html!),
}));
const tabsIn = (page: string, label: string) => {
	const [, after] = built(page).split(`aria-label="${label}"`);
	const tabs = [...after!.matchAll(/<pre [^>]*data-language="(\w+)"[^>]*>(.*?)<\/pre>/gs)].slice(0, Object.keys(programs).length);
	return tabs.map(([, language, html]) => ({ language: language!, code: codeIn(html!) }));
};
const retrying = tabsIn('send-a-lead', 'Send again safely');
const keyed = tabsIn('authentication', 'Send a key of your own');

/** The languages whose programs this machine lacks, with the reason. */
const missing = new Map<string, string>([
	...(spawnSync('python3', ['-c', 'import requests']).status === 0 ? [] : [['python', 'Python has no requests here'] as const]),
	...(spawnSync('php', ['-r', 'curl_init();']).status === 0 ? [] : [['php', 'PHP with curl is not installed'] as const]),
]);

test.for(samples)(
	'the sample $id runs as it is, and the server takes what it sends',
	async ({ id, language, code }, { skip }) => {
		skip(missing.has(language), missing.get(language));
		expect(await run(id, language, code, storing().server.url)).toMatch(/["']?ok["']?: ?true/i);
	},
);

test('each sample with a key of one’s own sends a real lead under that key, and all of them the same one', async () => {
	const { env, leads, server } = storing();
	const issued = await runCommand('keys', ['issue', '--name', 'Ana', '--email', 'ana@clinicasol.example', '--json'], { env });
	const { id, key } = JSON.parse(issued.stdout) as { id: string; key: string };
	expect(keyed.map(({ language }) => language)).toEqual(Object.keys(programs));
	for (const { language, code } of keyed.filter((sample) => !missing.has(sample.language))) {
		expect(code).not.toContain(facts['key.test']);
		const printed = await run(`keyed-${language}`, language, code, server.url, { [facts['key.variable']!]: key });
		expect(printed, language).toMatch(/["']?ok["']?: ?true/i);
	}
	const { stdout } = await leads('list', '--long');
	expect(stdout).toContain(`with key ${id}`);
	expect(stdout).toMatch(/^1 lead: /m);
});

test('each sample that sends a lead is a test, and says at its line with `consent` who may agree', () => {
	const all = Object.keys(programs);
	expect(samples.map(({ language }) => language)).toEqual(operations.flatMap(() => all));
	expect(retrying.map(({ language }) => language)).toEqual(all);
	const leads = [...samples, ...retrying].filter(({ code }) => code.includes('consent'));
	expect(leads).toHaveLength(10);
	const rule = RegExp.escape(facts['consent.rule']!);
	for (const { code } of leads) {
		expect(code).toContain(facts['key.test']);
		expect(code).toMatch(new RegExp(`consent: ${rule}|${rule}\\n *["']?consent`));
	}
});

/** The fault that the server's first answer meets on its way to the client. */
const spoils: Record<string, (answer: RawAnswer) => RawAnswer | undefined | Promise<never>> = {
	lost: () => undefined,
	late: () => new Promise<never>(() => {}),
	cut: ({ status, headers, body }) => ({ status, headers: { ...headers, connection: 'close' }, body: body.subarray(0, 5) }),
	'502 of a proxy': (answer) => ({ ...answer, status: 502, headers: {}, body: Buffer.from('<h1>Bad gateway</h1>') }),
	// Nothing, but the lead is wrong: it is not sent again.
	wrong: (answer) => answer,
};
for (const status of [408, 429, 500, 503, 504])
	spoils[status] = (answer) => ({ ...answer, status, headers: { 'retry-after': '1' } });

test.for(retrying)('the sample in $language sends again by its key after any fault', async ({ language, code }, { skip }) => {
	skip(missing.has(language), missing.get(language));
	await Promise.all(
		Object.entries(spoils).map(async ([name, spoil]) => {
			const keys: unknown[] = [];
			const spoilFirst: Spoil = async ({ headers }, ask) => {
				keys.push(headers['idempotency-key']);
				const answer = await ask();
				return keys.length === 1 ? spoil(answer) : answer;
			};
			await using proxy = await startProxy({ target: storing().server.url, spoil: spoilFirst });
			const wrong = name === 'wrong';
			const changed = wrong ? code.replace('ana@', '@') : code;
			const impatient = name === 'late' ? changed.replace(RegExp(`(?<=time.*)\\b${facts['wait.answer']}`, 'i'), '3') : changed;
			const printed = await run(`${name}-${language}`, language, impatient, proxy.url);
			expect(printed, name).toMatch(wrong ? 'email_invalid' : /["']?ok["']?: ?true/i);
			expect(keys, name).toEqual([expect.stringMatching(/^[\w-]{16,}$/), ...(wrong ? [] : [keys[0]])]);
		}),
	);
});

test.for(retrying)('the sample in $language hands over after a minute at most', async ({ language, code }, { skip }) => {
	skip(missing.has(language), missing.get(language));
	for (const [status, wait, tries] of [[429, 61, 1] as const, [503, 1, 5] as const]) {
		let requests = 0;
		const refusal = { status, headers: { 'retry-after': String(wait) }, body: Buffer.from('{}') };
		const answer: Spoil = async () => (requests++, refusal);
		await using proxy = await startProxy({ target: storing().server.url, spoil: answer });
		// curl is told how long it may try.
		const patient = code.replace('--retry ', '--retry-max-time 60 --retry ');
		const running = run(`hand-over-${status}-${language}`, language, patient, proxy.url);
		if (language === 'bash') expect(await running).toContain(String(status));
		else await expect(running).rejects.toThrow(/or hand over .*\/contact/);
		expect(requests).toBe(tries);
	}
});

/** Runs a sample for a server with the program of its language. @returns what it prints */
async function run(name: string, language: string, code: string, server: string, env = {}): Promise<string> {
	const [program, extension] = programs[language]!;
	const file = path.resolve(folder().path, `${name}.${extension}`);
	await writeFile(file, code.replaceAll(origin, server));
	return (await promisify(execFile)(program, [file], { env: { ...process.env, ...env } })).stdout;
}

test('the samples in TypeScript have the types of the description', async () => {
	const home = path.resolve(folder().path, 'types');
	const typed = samples.filter(({ language }) => language === 'typescript');
	const compilerOptions = { strict: true, module: 'preserve', lib: ['es2022', 'dom'], types: [], noEmit: true };
	await mkdir(home);
	await writeFile(`${home}/api.d.ts`, astToString(await openapiTS(description as unknown as OpenAPI3, { silent: true })));
	for (const { id, code } of typed) await writeFile(`${home}/${id}.ts`, code);
	await writeFile(`${home}/retrying.ts`, retrying.at(-1)!.code);
	await writeFile(`${home}/tsconfig.json`, JSON.stringify({ compilerOptions }));
	const checked = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', home], { encoding: 'utf8' });
	expect([checked.status, checked.stdout]).toEqual([0, '']);
});
