import { describe, expect, test } from 'vitest';
import { publicTestKey } from '../../src/keys/key.ts';
import { service } from '../../src/facts/load.ts';
import { issueKey } from '../support/api-key.ts';
import { startKeyKeeping } from '../support/key-keeping.ts';
import { runCommand } from '../support/operator-command.ts';
import { postLead } from '../support/post-lead.ts';
import { startServer } from '../support/server.ts';

const owner = ['--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example'];

describe.runIf(service.keys === 'none')('where no API keys are issued', () => {
	test.each([[['issue', ...owner]], [['rotate', '0000']]])('%j is refused, with what to change', async (args) => {
		await using keeping = await startKeyKeeping();
		const refusal = /^No API keys are issued, .* `keys: issued` in content\/service\.yaml, build, .*\.\n$/;
		expect(await keeping.keys(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(refusal) });
		expect(await runCommand('keys', args, { env: { LEAD_STORE: 'none' } })).toMatchObject({ code: 1 });
		expect(await keeping.count()).toBe(0);
	});

	test('a key of before is listed, shown, checked and revoked, and said not to work', async () => {
		await using keeping = await startKeyKeeping();
		expect((await keeping.keys('list')).stdout).toBe('There are no API keys yet.\n');
		const { id, key } = await keeping.inStore(issueKey);
		for (const args of [['list'], ['show', id]])
			expect((await keeping.keys(...args)).stdout).toContain('refused while no keys are issued, ends on');
		expect(await keeping.shown(id)).toMatchObject({ works: false });
		expect(await keeping.check(key)).toMatchObject({ code: 1, stdout: expect.stringMatching(/^It does not work\.\n\nkey /) });
		expect(await keeping.keys('revoke', id, '--yes')).toMatchObject({ code: 0 });
		expect((await keeping.keys('show', id)).stdout).toContain('\nended on ');
	});

	test('the server refuses a key of before, and knows the public test key', async () => {
		await using keeping = await startKeyKeeping();
		const { key } = await keeping.inStore(issueKey);
		await using server = await startServer(keeping.env);
		const statusWith = async (credential: string) =>
			(await postLead(server.url, {}, { authorization: `Bearer ${credential}` })).status;
		// 503, because delivery is not configured.
		expect([await statusWith(key), await statusWith(publicTestKey)]).toEqual([401, 503]);
	});
});
