import { expect, test } from 'vitest';
import { service } from '../../../src/facts/load.ts';
import { startHubspot } from '../../support/hubspot.ts';
import { runDoctor } from '../../support/operator-command.ts';
import { shared } from '../../support/shared.ts';
import { startStoring } from '../../support/lead-places.ts';

const storing = shared(() => startStoring());
const failing = shared(() => startStoring({}, { status: 410 }));

test('nothing is sent to the sales team without --lead', async () => {
	const { findings } = await runDoctor([storing().server.url], storing().env);
	expect(findings.at(-1)).toMatchObject({ check: 'lead', outcome: 'skipped' });
	expect(JSON.parse((await storing().leads('list', '--json')).stdout)).toMatchObject({ entries: [] });
	expect(storing().receiver.requests).toEqual([]);
});

test('--lead sends one that says what it is, and tells from the store that it has arrived', async () => {
	const { code, findings } = await runDoctor([storing().server.url, '--lead'], storing().env);
	expect([code, findings.at(-1)]).toMatchObject([
		0,
		{ outcome: 'ok', found: expect.stringMatching(/^answered 200, delivered: json:127\.0\.0\.1:\d+ delivered$/) },
	]);
	expect(storing().receiver.requests).toHaveLength(1);
	const { data } = JSON.parse(storing().receiver.requests[0]!.body) as { data: object };
	expect(JSON.stringify(data)).toMatch(/TEST lead/);
	expect(JSON.stringify(data)).toContain(service.emails.sales);
});

test('a CRM makes a contact of it, and it says so', async () => {
	await using crm = await startHubspot();
	const LEAD_WEBHOOK_URL = `${storing().receiver.url} ${crm.url}`;
	await using selling = await startStoring({ LEAD_WEBHOOK_URL, LEAD_WEBHOOK_FORMAT: 'json hubspot' });
	const { findings } = await runDoctor([selling.server.url, '--lead'], selling.env);
	expect(findings.at(-1)!.found).toMatch(/hubspot:\S+ delivered, .*; hubspot makes a contact of it$/);
});

test('one that no channel takes is a fault, and so is what is given up', async () => {
	const { code, complaints } = await runDoctor([failing().server.url, '--lead'], failing().env);
	expect([code, complaints.map(({ check, found }) => [check, found])]).toEqual([
		1,
		[['lead', expect.stringMatching(/^answered 200, parked: json:.* parked HTTP 410$/)]],
	]);
	const again = await runDoctor([failing().server.url], failing().env);
	expect(again.complaints).toMatchObject([
		{ check: 'store: parked', found: '1 given up', advice: expect.stringContaining('list --state parked') },
	]);
});

test('where the settings lead to no store, or to another one, it says so', async () => {
	const nowhere = await runDoctor([storing().server.url, '--lead']);
	expect(nowhere.findings.at(-1)).toMatchObject({
		outcome: 'ok',
		found: expect.stringMatching(/^answered 200; look for the lead from “doctor /),
	});
	const elsewhere = await runDoctor([storing().server.url, '--lead'], failing().env);
	expect(elsewhere.findings.at(-1)).toMatchObject({ outcome: 'warning', found: 'answered 200, and is not in this store' });
});
