import { expect, test } from 'vitest';
import { doctorOf } from '../../support/doctor-command.ts';
import { expectedOf, insteadOf } from './expected.ts';
import type { Host, RunningHost } from './host.ts';

/** Tests a host with our own doctor, through TLS in front of it. */
export function testDoctor(host: Host, running: () => RunningHost): void {
	const examine = doctorOf(running);
	// A host for the API only does not serve the rest.
	const concerns = host.serves === 'everything' ? /^/ : /^API/;

	test(`the doctor finds nothing to complain of${insteadOf(host, 'complaints')}`, async () => {
		const { complaints } = await examine();
		const ours = complaints.filter(({ check }) => concerns.test(check));
		const expected = expectedOf(host, 'complaints');
		expect(ours.filter(({ check }) => !expected.includes(check))).toEqual([]);
		expect(new Set(ours.map(({ check }) => check))).toEqual(new Set(expected));
	});
}
