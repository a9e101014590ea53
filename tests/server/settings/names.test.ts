import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { readSettings, variables } from '../../../src/server/settings/settings.ts';
import { TestProcess } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The values in `.env.example`, by variable: the default or, if there is none, an example. */
const written = readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=(.*)$/gm);
const examples = Object.fromEntries(Array.from(written, ([, name, value]) => [name!, value!]));

test('.env.example names the settings that there are, no others, and the default of each', () => {
	expect(Object.keys(examples).toSorted()).toEqual(Object.keys(variables).toSorted());
	const preset = readSettings({});
	expect(readSettings(Object.fromEntries(Object.entries(examples).filter(([name]) => name in preset)))).toEqual(preset);
});

test('the table of settings in the handbook is made from the settings', async () => {
	const file = 'handbook/settings.md';
	const page = readFileSync(file, 'utf8');
	const preset = readSettings({});
	const code = (value?: string) => (value ? `\`${value}\`` : '');
	const rows = Object.entries(variables).map(([name, { description = '' }]) => {
		const value = examples[name];
		const usual = name === 'SITE_URL' ? variables.SITE_URL.parse(undefined) : name in preset ? value : undefined;
		return [code(name), description, code(usual), usual === value ? '' : code(value)];
	});
	const head = ['Setting', 'Meaning', 'Default', 'Example'];
	const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	const whole = page.slice(0, page.indexOf('\n|') + 1) + table;
	const formatted = await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' });
	await expect(formatted).toMatchFileSnapshot(path.resolve(file));
});

const built = (program: string, ...args: string[]) => [`var/test/dist/server/${program}.mjs`, ...args];
const called = `await (await import('./var/test/dist/server/function.mjs')).fetch(new Request('https://x.test/api/contact', { method: 'POST' }))`;

test.each([
	['the server', built('entry')],
	['a command', built('leads', 'list')],
	['the function', ['--input-type=module', '--eval', called]],
	['the build', ['--eval', `import('./astro.config.mjs')`]],
])('%s warns once of a name that is misspelt, with the one that was meant, and of no host’s', async (_, args) => {
	const meant = {
		SITE_ULR: 'Did you mean SITE_URL?',
		LEAD_EMIAL_TO: 'Did you mean LEAD_EMAIL_TO?',
		TRUSTPROXY: 'Did you mean TRUST_PROXY?',
		METRICS_ADRESS: 'Did you mean METRICS_ADDRESS?',
		FUNCTION_SECERT: 'Did you mean FUNCTION_SECRET?',
		SMTP_RELAY_HOST: 'All settings are in .env.example.',
	};
	const misspelt = Object.fromEntries(Object.keys(meant).map((name) => [name, 'secret']));
	await using program = new TestProcess(args, { env: { PORT: '0', LEAD_STORE: 'none', SITE_ID: 'netlify', ...misspelt } });
	const known = args.includes(`import('./astro.config.mjs')`) ? 1 : 5;
	const lines = Object.entries(meant).map(([name, advice]) => `${name} is not a setting and has no effect. ${advice}\n`);
	await expect.poll(() => lines.slice(0, known).filter((line) => !program.output.includes(line))).toEqual([]);
	expect(program.output.match(/SITE_ULR/g)).toHaveLength(1);
	expect(program.output).not.toMatch(/secret|SITE_ID/);
});

test('the server does not start with a .env in UTF-16, whose names it would not know', async () => {
	await using folder = await temporaryFolder();
	await writeFile(path.join(folder.path, '.env'), '\uFEFFPORT=0\n', 'utf16le');
	await using program = new TestProcess([path.resolve('var/test/dist/server/entry.mjs')], { cwd: folder.path });
	expect(await program.exit()).toBe(1);
	expect(program.output).toMatch(/settings:\n\.env .* in UTF-8 without a byte order mark \(BOM\)\.\n$/);
});
