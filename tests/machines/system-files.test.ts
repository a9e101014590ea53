import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { readSettings, variableNames } from '../../src/server/settings/settings.ts';
import { service } from '../../src/facts/load.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const systemdMissing = existsSync('/usr/bin/systemd-analyze') ? undefined : 'systemd tests skipped: install Debian’s systemd.';
if (systemdMissing) console.warn(systemdMissing);

const { identifier } = service;
const serviceUnit = `${identifier}.service`;
const units = [serviceUnit, `${identifier}.socket`];
const unit = (name: string) => readFileSync(`var/test/dist/machines/${name}`, 'utf8');
/** Returns the assignments of a unit, in order. */
const assignments = (name: string) => [...unit(name).matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, key, value]) => [key!, value!]);

describe.skipIf(systemdMissing)('the systemd units', () => {
	/** Runs systemd-analyze on copies of the units with the path of this machine's Node. */
	const analyze = async (...args: string[]) => {
		await using folder = await temporaryFolder();
		for (const name of units)
			writeFileSync(path.join(folder.path, name), unit(name).replace('/usr/bin/node', realpathSync(process.execPath)));
		return spawnSync('systemd-analyze', args, { cwd: folder.path, encoding: 'utf8' });
	};

	test('are what systemd takes, without a warning', async () => {
		const { status, stdout, stderr } = await analyze('verify', ...units.map((name) => `./${name}`));
		expect([status, stdout, stderr]).toEqual([0, '', '']);
	});

	test('leave little to do harm with: an exposure of at most 2 out of 10', async () => {
		const { status, stdout } = await analyze('security', '--offline=true', '--threshold=20', `./${serviceUnit}`);
		expect(status, stdout).toBe(0);
	});
});

test('the systemd service sets what the server understands, and keeps leads where it may write', () => {
	const environment = Object.fromEntries(
		assignments(serviceUnit)
			.filter(([key]) => key === 'Environment')
			.map(([, value]) => value!.split(/=(.*)/s).slice(0, 2) as [string, string]),
	);
	const credentials = Object.entries(environment).filter(([, value]) => value.startsWith('%d/'));
	for (const [name, value] of credentials) {
		const id = value.slice('%d/'.length);
		expect(assignments(serviceUnit)).toContainEqual(['LoadCredential', `${id}:/etc/${identifier}/${id}`]);
		// Without it the service would not start where the file is missing.
		expect(assignments(serviceUnit)).toContainEqual(['SetCredential', `${id}:\\n`]);
		expect(variableNames).toContain(name.replace(/_FILE$/, ''));
		delete environment[name];
	}
	expect(credentials).not.toEqual([]);
	expect(readSettings(environment)).toMatchObject({
		store: { kind: 'sqlite', path: `/var/lib/${identifier}/leads.db` },
		trustProxy: 1,
	});
	expect(assignments(serviceUnit)).toContainEqual(['StateDirectory', identifier]);
});

describe('the container file', () => {
	const file = readFileSync('src/hosts/container/Containerfile', 'utf8');

	test('is valid', () => {
		expect(validate(file)).toEqual([]);
	});

	test('runs as nobody special, on what the build made alone, and can be asked how it is', () => {
		const final = file.slice(file.lastIndexOf('\nFROM '));
		expect(final).toMatch(/^USER node$/m);
		expect(final.match(/^COPY .*$/gm)).toEqual(['COPY --from=build /app/dist/server ./dist/server']);
		expect(final).toMatch(/^HEALTHCHECK (.*\\\n)?.*\/api\/status/m);
		expect(final).toMatch(/^VOLUME \/app\/var$/m);
	});

	test('sets what the server understands', () => {
		const [, line] = /^ENV (.*)$/m.exec(file)!;
		const environment = Object.fromEntries(line!.split(' ').map((pair) => pair.split('=') as [string, string]));
		expect(readSettings(environment)).toMatchObject({
			host: '0.0.0.0',
			port: 4321,
			store: { kind: 'sqlite', path: '/app/var/leads.db' },
		});
	});
});
