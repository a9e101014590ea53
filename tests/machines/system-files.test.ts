import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings, variables } from '../../src/server/settings/settings.ts';
import { service } from '../../src/facts/load.ts';
import { writeMachineFiles } from '../../src/hosts/hosts.ts';
import { missing } from '../support/missing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const systemdMissing = missing('systemd', existsSync('/usr/bin/systemd-analyze'), 'install Debian’s systemd.');

const { identifier } = service;
const serviceUnit = `${identifier}.service`;
const canaryUnit = `${identifier}-canary.service`;
const units = [serviceUnit, `${identifier}.socket`, canaryUnit, `${identifier}-canary.timer`];
const fileFor = (name: string) => readFileSync(`var/test/dist/machines/${name}`, 'utf8');
const assignments = (name: string) =>
	[...fileFor(name).matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, key, value]) => [key!, value!] as const);

test.skipIf(systemdMissing)('the systemd units are what systemd takes, with an exposure of at most 2 out of 10', async () => {
	await using folder = await temporaryFolder();
	const [cwd, node] = [folder.path, realpathSync(process.execPath)];
	for (const name of units) writeFileSync(path.join(cwd, name), fileFor(name).replace('/usr/bin/node', node));
	const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { cwd, encoding: 'utf8' });
	const { status, stdout, stderr } = analyze('verify', ...units.map((name) => `./${name}`));
	expect([status, stdout, stderr]).toEqual([0, '', '']);
	const exposed = analyze('security', '--offline=true', '--threshold=20', `./${serviceUnit}`);
	expect(exposed.status, exposed.stdout).toBe(0);
});

/** Returns what the process of a unit gets, with its credentials in this folder, and without those that the machine has no file of. */
function environmentOf(name: string, folder: string): Record<string, string> {
	const given = (wanted: string) => assignments(name).flatMap(([key, value]) => (key === wanted ? [value] : []));
	const values = given('Environment').map((value) => value.replace('%d', folder).split(/=(.*)/s).slice(0, 2));
	for (const [id, content] of given('SetCredential').map((value) => value.split(':')))
		writeFileSync(path.join(folder, id!), content!.replace('\\n', '\n'));
	return { STATE_DIRECTORY: `/var/lib/${identifier}`, ...Object.fromEntries(values) };
}

/** Every setting that is secret, by the unit whose process reads it. */
const secret = Object.keys(variables).filter((name) => /(?<!SITE)_URL$|(?<!FUNCTION)_SECRET$|_STORE$/.test(name));
const secretsOf = {
	[serviceUnit]: secret.filter((name) => name !== 'CANARY_IMAP_URL'),
	[canaryUnit]: ['CANARY_SECRET', 'CANARY_IMAP_URL'],
};
const fileOf = (name: string) => name.toLowerCase().replaceAll('_', '-');

test.each(Object.entries(secretsOf))('%s takes each secret from a file of root’s, if there is one', async (name, expected) => {
	await using folder = await temporaryFolder();
	const environment = environmentOf(name, folder.path);
	const files = Object.fromEntries(Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE')));
	const wanted = expected.map((variable) => [`${variable}_FILE`, path.join(folder.path, fileOf(variable))]);
	expect(files).toEqual(Object.fromEntries(wanted));
	for (const file of Object.values(files)) {
		const id = path.basename(file);
		expect(assignments(name)).toContainEqual(['LoadCredential', `${id}:/etc/${identifier}/${id}`]);
		// Without it the service would not start where the file is missing.
		expect(existsSync(file), id).toBe(true);
	}
});

test('the systemd service sets what the server understands, keeps leads where it may write or a setting or a file says, and always starts again', async () => {
	await using folder = await temporaryFolder();
	const environment = environmentOf(serviceUnit, folder.path);
	const own = { kind: 'sqlite', path: `/var/lib/${identifier}/leads.db` };
	expect(readSettings(environment)).toMatchObject({ LEAD_STORE: own, TRUST_PROXY: 1 });
	for (const wanted of [`StateDirectory=${identifier}`, 'StartLimitIntervalSec=0', 'Restart=always'])
		expect(assignments(serviceUnit)).toContainEqual(wanted.split('='));
	// Without it `os.networkInterfaces` throws, and the server ends.
	expect(fileFor(serviceUnit)).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
	const database = { kind: 'postgres', url: 'postgres://db.example.com/leads' };
	expect(readSettings({ ...environment, LEAD_STORE: database.url }).LEAD_STORE).toEqual(database);
	writeFileSync(path.join(folder.path, 'lead-store'), `${database.url}\n`);
	expect(readSettings(environment).LEAD_STORE).toEqual(database);
});

/** Prints the unit as systemctl does, with what the operator has added. */
const SYSTEMCTL = `#!/bin/sh
cat "$UNIT"
echo "# /etc/systemd/system/$2.d/override.conf
[Service]
Environment=LEAD_TIME_ZONE=Europe/Lisbon"
`;
/** Runs a program as systemd-run does: with what the properties set, below $ROOT in place of /. Adds the arguments to its environment. */
const SYSTEMD_RUN = `#!/usr/bin/env node
const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { ROOT, NODE } = process.env;
const args = process.argv.slice(2);
const options = args.filter((arg, index) => args.slice(0, index + 1).every((each) => each.startsWith('--')));
const [program, ...rest] = args.slice(options.length);
const valuesOf = (start) => options.filter((option) => option.startsWith(start)).map((option) => option.slice(start.length));
const of = (name) => valuesOf('--property=' + name + '=');
const credentials = '/run/credentials/' + valuesOf('--unit=')[0] + '.service';
const env = { PATH: process.env.PATH, STATE_DIRECTORY: ROOT + '/var/lib/' + of('StateDirectory')[0], OPTIONS: JSON.stringify(options) };
const set = (pair) => { const [name, value] = pair.split(/=(.*)/s); env[name] = value.replace(credentials, ROOT + '/credentials'); };
of('Environment').forEach(set);
for (const file of of('EnvironmentFile')) readFileSync(ROOT + file.slice(1), 'utf8').trim().split('\\n').forEach(set);
if (program !== '/usr/bin/node') throw new Error(program);
process.exit(spawnSync(NODE, [rest[0].replace(/^\\/opt\\/[^/]+/, ROOT), ...rest.slice(1)], { env, stdio: 'inherit' }).status);
`;

describe('the command for operators on a machine with systemd', () => {
	/** Calls it on a machine whose folders are in a temporary one. Its programs print what they get. */
	async function call(...args: string[]) {
		await using folder = await temporaryFolder();
		const root = folder.path;
		const program = 'console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env })); process.exit(3);';
		const etc = { [`etc/${identifier}.env`]: 'LEAD_LANGUAGE=de\n', 'dist/server/leads.mjs': program };
		for (const name of ['bin', 'etc', 'dist/server']) mkdirSync(path.join(root, name), { recursive: true });
		for (const [name, text] of Object.entries({ ...etc, 'bin/systemctl': SYSTEMCTL, 'bin/systemd-run': SYSTEMD_RUN }))
			writeFileSync(path.join(root, name), text, { mode: 0o755 });
		const PATH = `${root}/bin:${path.dirname(process.execPath)}:${process.env['PATH']}`;
		const env = { PATH, ROOT: root, NODE: process.execPath, UNIT: `var/test/dist/machines/${serviceUnit}` };
		const command = `var/test/dist/machines/${identifier}`;
		return { ...spawnSync('sh', [command, ...args], { env, encoding: 'utf8' }), root };
	}

	test('runs a program with what the unit sets, and what was added to it, and ends as the program does', async () => {
		const { status, stdout, stderr, root } = await call('leads', 'show', 'two words', '*', '');
		expect([status, stderr]).toEqual([3, '']);
		const { args, env } = JSON.parse(stdout) as { args: string[]; env: Record<string, string> };
		expect(args).toEqual(['show', 'two words', '*', '']);
		const ofUnit = { STATE_DIRECTORY: `${root}/var/lib/${identifier}`, SMTP_URL_FILE: `${root}/credentials/smtp-url` };
		expect(env).toMatchObject({ ...ofUnit, TRUST_PROXY: '1', LEAD_LANGUAGE: 'de', LEAD_TIME_ZONE: 'Europe/Lisbon' });
		const set = /^(Environment(File)?|(Set|Load)Credential|DynamicUser|StateDirectory\w*|WorkingDirectory|UMask)$/;
		const wanted = assignments(serviceUnit).filter(([key, value]) => set.test(key) && !value.includes('%d'));
		const options = JSON.parse(env['OPTIONS']!) as string[];
		expect(options).toEqual(expect.arrayContaining(wanted.map((pair) => `--property=${pair.join('=')}`)));
		// A service without a name for its user has one of its own name.
		expect(options).toContain(`--property=User=${identifier}`);
	});

	test('runs the program of the build that the unit starts', () => {
		const [, started] = assignments(serviceUnit).find(([key]) => key === 'ExecStart')!;
		expect(fileFor(identifier)).toContain(started.replace(' ', ' "').replace('entry.mjs', '$program.mjs"'));
	});

	test.each([[[]], [['sh']], [['../leads']]])('%j is a wrong call', async (args) => {
		expect((await call(...args)).status).toBe(2);
	});
});

const file = readFileSync('src/hosts/container/Containerfile', 'utf8');
const [, line] = /^ENV (.*)$/m.exec(file)!;
const containerEnvironment = Object.fromEntries(line!.split(' ').map((pair) => pair.split('=') as [string, string]));

test('the container file is valid, runs as a user without rights, on what the build made alone, and keeps leads in its volume', () => {
	expect(validate(file)).toEqual([]);
	const final = file.slice(file.lastIndexOf('\nFROM '));
	expect(final).toMatch(/^USER node$/m);
	expect(final.match(/^COPY .*$/gm)).toEqual(['COPY --from=build /app/dist/server ./dist/server']);
	expect(final).toMatch(/^HEALTHCHECK (.*\\\n)?.*\/api\/status/m);
	expect(final).toMatch(/^VOLUME \/app\/var$/m);
	expect(file).toMatch(/^WORKDIR \/app$/m);
	const store = { kind: 'sqlite', path: 'var/leads.db' };
	expect(readSettings(containerEnvironment)).toMatchObject({ HOST: '0.0.0.0', PORT: 4321, LEAD_STORE: store });
	// An operator may name another store, by its name or by a file.
	expect(file).not.toMatch(/^ENV .*LEAD_STORE/m);
});

const compose = parse(fileFor('compose.yaml')) as Compose;
const { website, ...others } = compose.services;

describe('the compose file', () => {
	test('is what the Compose specification describes, by its JSON Schema in dclint', async () => {
		await using folder = await temporaryFolder();
		const wrong = path.join(folder.path, 'compose.yaml');
		writeFileSync(wrong, fileFor('compose.yaml').replace('read_only', 'read_olny'));
		const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
		const errorsIn = (file: string) =>
			linter.lintFiles([file], false).flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
		expect(errorsIn('var/test/dist/machines/compose.yaml')).toEqual([]);
		expect(errorsIn(wrong)).toMatchObject([{ rule: 'invalid-schema' }]);
	});

	test('builds the container file for the site’s origin, asks for the status, and gives no service more rights than it needs', () => {
		const { context, dockerfile, args } = website!.build!;
		const root = path.resolve('dist/machines', context);
		expect([root, existsSync(path.join(root, dockerfile))]).toEqual([process.cwd(), true]);
		expect(args).toEqual({ SITE_URL: expect.stringMatching(/^https?:\/\/[^/]+$/) });
		expect(website!.healthcheck.test.join(' ')).toContain(`http://localhost:${website!.environment['PORT']}/api/status`);
		for (const service of Object.values(compose.services))
			expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
		// A database is for those only who want one.
		for (const service of Object.values(others)) expect(service.profiles).toHaveLength(1);
		expect(compose.networks).toMatchObject({ store: { internal: true } });
	});

	test('sets what the server understands: secrets from files, which are empty at first, and leads in the volume', async () => {
		await using folder = await temporaryFolder();
		const { environment, secrets, volumes } = website!;
		for (const secret of secrets) writeFileSync(path.join(folder.path, secret), '');
		expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
		const values = Object.entries({ ...containerEnvironment, ...environment });
		const local = Object.fromEntries(values.map(([name, value]) => [name, value.replace('/run/secrets', folder.path)]));
		const settings = { HOST: '0.0.0.0', PORT: 4321, TRUST_PROXY: 1, METRICS_ADDRESS: { host: '0.0.0.0', port: 9464 } };
		expect(readSettings(local)).toMatchObject({ ...settings, LEAD_STORE: { kind: 'sqlite', path: 'var/leads.db' } });
		// Nobody but this machine reaches it without the proxy.
		expect(website!.ports).toEqual([4321, 9464].map((port) => `127.0.0.1:${port}:${port}`));
		expect(volumes).toEqual(['leads:/app/var']);
		writeFileSync(path.join(folder.path, 'lead-store'), 'postgres://postgres:secret@postgres/postgres\n');
		writeFileSync(path.join(folder.path, 'smtp-url'), 'smtp://mail.example.com\n');
		const mail = { LEAD_EMAIL_TO: 'sales@example.com', LEAD_EMAIL_FROM: 'website@example.com' };
		expect(readSettings({ ...local, ...mail })).toMatchObject({ LEAD_STORE: { kind: 'postgres' } });
		const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
		const wanted = secretsOf[serviceUnit]!.map((name) => [`${name}_FILE`, `/run/secrets/${fileOf(name)}`]);
		expect(files.toSorted()).toEqual(wanted.toSorted());
		expect(secrets.toSorted()).toEqual(secretsOf[serviceUnit]!.map(fileOf).toSorted());
	});
});

test('the commands for compose make every file that it reads, for its owner alone', async () => {
	await using folder = await temporaryFolder();
	const [, command] = /^# {3}(\(umask .*)$/m.exec(fileFor('compose.yaml'))!;
	execFileSync('sh', ['-c', `umask 022; ${command!}`], { cwd: folder.path });
	for (const name of ['.env', ...website!.secrets.map((secret) => `secrets/${secret}`)])
		expect([name, statSync(path.join(folder.path, name)).mode & 0o777]).toEqual([name, 0o600]);
});

test('at another port nginx and Caddy listen, and nginx finds names and certificates by the host alone', async () => {
	await using folder = await temporaryFolder();
	await writeMachineFiles(service, 'https://www.example.com:8443', pathToFileURL(`${folder.path}/`));
	const file = (name: string) => readFileSync(path.join(folder.path, 'machines', name), 'utf8');
	const nginx = file('one-machine.conf');
	const all = (directive: RegExp) => [...new Set(Array.from(nginx.matchAll(directive), ([, value]) => value))];
	expect(all(/listen (\S+) ssl/g)).toEqual(['8443', '[::]:8443']);
	expect(all(/server_name (.*);/g)).toEqual(['www.example.com']);
	expect(all(/ssl_certificate(?:_key)? (.*)\/\w+\.pem;/g)).toEqual(['/etc/letsencrypt/live/www.example.com']);
	expect(all(/return 308 (.*)\$/g)).toEqual(['https://www.example.com:8443']);
	expect(file('Caddyfile')).toMatch(/^www\.example\.com:8443 \{$/m);
});

type Lists = Record<'secrets' | 'volumes' | 'profiles' | 'ports', string[]> & { healthcheck: { test: string[] } };
type Build = { context: string; dockerfile: string; args: object };
type ComposeService = Lists & { build?: Build; environment: Record<string, string> };
type Compose = { services: Record<string, ComposeService>; networks: object; secrets: object };
