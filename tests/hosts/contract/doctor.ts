import { expect, test } from 'vitest';
import { doctorOf } from '../../support/doctor-command.ts';
import { expectedOf, insteadOf } from './expected.ts';
import type { Host, RunningHost } from './host.ts';

/** Our own doctor, through TLS in front of the host. */
export function testDoctor(host: Host, running: () => RunningHost): void {
	const examine = doctorOf(running);
	// Of a host for the API alone the rest is somebody else's.
	const concerns = host.serves === 'everything' ? /^/ : /^API/;

	test(`the doctor finds nothing to complain of${insteadOf(host, 'complaints')}`, async () => {
		const { complaints } = await examine();
		const ours = complaints.filter(({ check }) => concerns.test(check));
		const expected = expectedOf(host, 'complaints');
		expect(ours.filter(({ check }) => !expected.includes(check))).toEqual([]);
		expect(new Set(ours.map(({ check }) => check))).toEqual(new Set(expected));
	});
}
