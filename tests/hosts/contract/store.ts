import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { postBody, leadOf } from '../../support/post-lead.ts';
import { postgresMissing, startPostgres } from '../../support/postgres.ts';
import { startSalesTeam } from '../../support/sales-team.ts';
import { overTcp } from '../support/over-tcp.ts';
import type { Host } from './host.ts';

/** Tests a host with a database. */
export const testStore = (host: Host) =>
	describe.skipIf(postgresMissing)('with PostgreSQL', () => {
		test('each of several leads is kept and delivered, and a key stands for one lead', async () => {
			await using postgres = await startPostgres();
			await using team = await startSalesTeam();
			await using database = await overTcp(await postgres.createDatabase());
			const settings = { LEAD_STORE: database.url, LEAD_RATE_LIMIT: 'off' };
			await using running = await host.start({ ...team.settings, ...settings });
			const messages = Array.from({ length: 4 }, () => randomUUID());
			const post = (message: string, key: string) => postBody(running.url, leadOf({ message }), { 'idempotency-key': key });

			const answers = await Promise.all(messages.map((message) => post(message, message)));
			expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
			await expect.poll(() => team.missing(messages)).toEqual([]);
			const reused = await post('Another lead', messages[0]!);
			expect([reused.status, await reused.text()]).toEqual([422, expect.stringContaining('idempotency-key-reused')]);
		});
	});
