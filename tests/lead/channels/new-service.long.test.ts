import { execFile } from 'node:child_process';
import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The files and lines of a service that is recognised by its path on any host, and gets a form. */
const bell = {
	'src/lead/channels/chat/bell.ts': `
import type { Message } from '../../message/message.ts';
import { fitBody } from '../chat-message.ts';
import { judgeStatus, type WebhookFormat } from '../webhook-format.ts';

export const bell = {
	name: 'bell',
	recognises: ({ pathname }) => pathname.startsWith('/bell/hooks/'),
	request: (message, { url, fullText }) => ({
		url,
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: fitBody(message, fullText, bodyOf, ({ length }) => length <= 20_000),
	}),
	judge: judgeStatus,
} as const satisfies WebhookFormat;

const bodyOf = ({ subject, text }: Message) => new URLSearchParams({ title: subject, text }).toString();`,

	'tests/lead/channels/chat/bell.ts': `
import { bell as format } from '../../../../src/lead/channels/chat/bell.ts';
import type { ChatService } from '../../../support/chat-service.ts';

export const bell: ChatService = {
	format,
	host: 'intranet.example',
	path: '/bell/hooks/secret',
	mediaType: 'application/x-www-form-urlencoded',
	structure: (body) => Object.fromEntries(new URLSearchParams(body)),
	success: {},
	refusals: { 'HTTP 503': { status: 503, permanent: false } },
	visible: (body) => [...new URLSearchParams(body).values()].join('\\n'),
	active: () => [],
	sizes: (body) => [['form', body.length, 20_000]],
};`,

	'src/lead/channels/chat/index.ts': "export { bell } from './bell.ts';",
	'tests/lead/channels/chat/index.ts': "export { bell } from './bell.ts';",
};

/** Inside the project, so that it finds the packages. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let copy: string;

beforeAll(async () => {
	folder = await temporaryFolder(path.resolve('var'));
	copy = folder.path;
	for (const part of ['src', 'tests', 'content']) await cp(part, path.join(copy, part), { recursive: true });
});

afterAll(() => folder[Symbol.asyncDispose]());

/** Returns the code of a README, by the file that each block names in its first line. */
const codeIn = (readme: string) =>
	[...readme.matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g)].map(([, file, code]) => [file!, code!] as const);

/** Returns the output of a program from npm that runs in the copy. */
async function run(program: string, ...args: string[]): Promise<string> {
	const env = { ...process.env, NO_COLOR: '1', RUNS: '20' };
	const running = promisify(execFile)(process.execPath, [path.resolve('node_modules', program), ...args], { cwd: copy, env });
	const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error);
	return stdout + stderr;
}

const testsOf = (...args: string[]) =>
	run('vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', '--reporter=verbose', ...args);

describe('A new chat service', () => {
	test('that nobody lists is named by the check', async () => {
		const stray = path.join(copy, 'src/lead/channels/chat/stray.ts');
		await writeFile(stray, '');
		expect(await testsOf('chat/index.test')).toContain('stray.ts');
		await rm(stray);
	});

	describe('by the recipe of src/lead/README.md, or with a path of its own and forms', () => {
		beforeAll(async () => {
			const webex = codeIn(await readFile('src/lead/README.md', 'utf8'));
			for (const [file, code] of [...webex, ...Object.entries(bell)]) await appendFile(path.join(copy, file), code);
		});

		test('keeps the contract', async () => {
			const printed = await testsOf('tests/lead/channels/chat', '--testNamePattern=^(webex|bell|src|tests)');
			for (const name of ['webex', 'bell'])
				expect(printed).toMatch(new RegExp(`✓ .*${name} > has taken a message when it says so`));
			expect(printed).not.toContain('FAIL');
		});

		test('has the types that it says', async () => {
			const options = { extends: '../../tsconfig.json', include: ['src/env.d.ts', 'tests/lead/channels/chat'], exclude: [] };
			await writeFile(path.join(copy, 'tsconfig.json'), JSON.stringify(options));
			expect(await run('typescript/bin/tsc', '--noEmit')).toBe('');
		});
	});
});
