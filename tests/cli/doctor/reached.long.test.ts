import { expect, test } from 'vitest';
import { origin } from '../../../src/facts/load.ts';
import { runCommand, runDoctor } from '../../support/operator-command.ts';
import { NOBODY } from '../../support/listening.ts';

test('where nobody listens that is all there is to say', async () => {
	const { code, complaints } = await runDoctor([`http://${NOBODY}`]);
	const silent = {
		check: 'origin: answers',
		outcome: 'fault',
		found: expect.stringContaining('ECONNREFUSED'),
		advice: expect.anything(),
	};
	expect([code, complaints]).toEqual([1, [silent]]);
});

test('a build for another origin is a fault that names both', async () => {
	const { findings } = await runDoctor(['http://elsewhere.invalid']);
	expect(findings[0]).toEqual({
		check: 'origin',
		outcome: 'fault',
		found: `the build is for ${origin}`,
		advice: expect.stringContaining('SITE_URL=http://elsewhere.invalid'),
	});
});

test('people get a line for each check, advice under it, and a sum', async () => {
	const { code, stdout } = await runCommand('doctor', [`http://${NOBODY}`], { env: { LEAD_STORE: 'none' } });
	expect(code).toBe(1);
	expect(stdout).toMatch(/^- +documents: bytes +the origin does not answer$/m);
	expect(stdout).toMatch(/^FAULT +origin: answers +.*ECONNREFUSED.*\n +See to it that the server runs/m);
	expect(stdout).toMatch(/: 0 ok, 0 to look at, 1 at fault, \d+ not looked at\.\n$/);
});
