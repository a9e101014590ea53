import { expect, test } from 'vitest';
import { runDoctor } from '../../support/doctor-command.ts';
import type { Host, RunningHost } from './host.ts';

/** Tests a host with our own doctor. */
export function testDoctor(host: Host, running: () => RunningHost): void {
	test('the doctor finds nothing to complain of', async () => {
		const { complaints } = await runDoctor([running().url]);
		// A host for the API only does not serve the rest.
		const concerns = host.serves === 'everything' ? complaints : complaints.filter(({ check }) => check.startsWith('API'));
		expect(concerns).toEqual([]);
	});
}
