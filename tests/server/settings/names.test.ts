import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, variableNames } from '../../../src/server/settings/settings.ts';
import { TestProcess } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
	['.env.example', /^# ([A-Z_]+)=(.*)$/gm],
	['handbook/settings.md', /^\| `([A-Z_]+)` *\| (?:`(.*?)`)?/gm],
])('%s names the settings that there are, no others, and the default of each', (file, pattern) => {
	const rows = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name, value]) => [name!, value] as const);
	expect(rows.map(([name]) => name).toSorted()).toEqual(variableNames.toSorted());
	const preset = readSettings({});
	expect(readSettings(Object.fromEntries(rows.filter(([name]) => name in preset)))).toEqual(preset);
});

const built = (program: string, ...args: string[]) => [`var/test/dist/server/${program}.mjs`, ...args];
const called = `await (await import('./var/test/dist/server/function.mjs')).fetch(new Request('https://x.test/api/contact', { method: 'POST' }))`;

test.each([
	['the server', built('entry')],
	['a command', built('leads', 'list')],
	['the doctor', built('doctor', 'http://127.0.0.1:9')],
	['the function', ['--input-type=module', '--eval', called]],
	['the build', ['--eval', `import('./astro.config.mjs')`]],
])('%s warns once of a name that is misspelt, with the one that was meant, and of no host’s', async (_, args) => {
	const misspelt = {
		LEAD_EMIAL_TO: 'secret',
		SMTP_RELAY_HOST: 'secret',
		METRICS_ADRESS: 'secret',
		SITE_ULR: 'secret',
		TRUSTPROXY: 'secret',
	};
	await using program = new TestProcess(args, { env: { PORT: '0', LEAD_STORE: 'none', SITE_ID: 'netlify', ...misspelt } });
	const meant = {
		SITE_ULR: 'Did you mean SITE_URL?',
		LEAD_EMIAL_TO: 'Did you mean LEAD_EMAIL_TO?',
		TRUSTPROXY: 'Did you mean TRUST_PROXY?',
		METRICS_ADRESS: 'Did you mean METRICS_ADDRESS?',
		SMTP_RELAY_HOST: 'All settings are in .env.example.',
	};
	const known = args.includes(`import('./astro.config.mjs')`) ? 1 : 5;
	const lines = Object.entries(meant).map(([name, advice]) => `${name} is not a setting and has no effect. ${advice}\n`);
	await expect.poll(() => lines.slice(0, known).filter((line) => !program.output.includes(line))).toEqual([]);
	expect(program.output.match(/SITE_ULR/g)).toHaveLength(1);
	expect(program.output).not.toMatch(/secret|SITE_ID/);
});

test.each([
	['UTF-8 with a byte order mark', '\uFEFFPORT=0\n', 'utf8'],
	['UTF-16', '\uFEFFPORT=0\n', 'utf16le'],
] as const)('the server does not start with a .env in %s, whose names it would not know', async (_, text, encoding) => {
	await using folder = await temporaryFolder();
	await writeFile(path.join(folder.path, '.env'), text, encoding);
	await using program = new TestProcess([path.resolve('var/test/dist/server/entry.mjs')], {
		cwd: folder.path,
		env: { PORT: '0' },
	});
	expect(await program.exit()).toBe(1);
	expect(program.output).toMatch(/^\.env .* in UTF-8 without a byte order mark \(BOM\)\.$/m);
});
