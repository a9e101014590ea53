import { describe, expect, test } from 'vitest';
import { runDoctor } from '../../support/operator-command.ts';
import { startSalesTeam } from '../../support/sales-team.ts';
import { shared } from '../../support/shared.ts';
import { testDocuments } from './documents.ts';
import type { Host } from './host.ts';
import { testLimits } from './limits.ts';
import { testOperations } from './operations.ts';
import { testStore } from './store.ts';

/** Tests everything that the build does on every host, on one of them. */
export const testHost = (host: Host) =>
	describe(host.name, () => {
		const team = shared(() => startSalesTeam());
		const running = shared(() => host.start({ ...team().settings, LEAD_RATE_LIMIT: 'off' }));
		if (host.serves === 'everything') testDocuments(host, running);
		testOperations(running, team);
		test('the doctor finds nothing to complain of', async () => {
			const { complaints } = await runDoctor([running().url]);
			// A host for the API only does not serve the rest.
			const concerns = host.serves === 'everything' ? complaints : complaints.filter(({ check }) => check.startsWith('API'));
			expect(concerns).toEqual([]);
		});
		testLimits(host);
		testStore(host);
	});
