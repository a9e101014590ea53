import { expect, test } from 'vitest';
import { startHubspot } from '../../support/hubspot.ts';
import { startBackend } from '../../support/lead-backend.ts';
import { hit, lead, postLead } from '../../support/post-lead.ts';
import { startStoring } from '../../support/storing-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

/** Returns the settings for a channel to people and one to a CRM. */
const to = (people: WebhookReceiver, { url }: { url: string }) => ({
	LEAD_WEBHOOK_URL: `${people.url} ${url}`,
	LEAD_WEBHOOK_FORMAT: 'json hubspot',
});

const typesOf = ({ requests }: WebhookReceiver) => requests.map(({ body }) => (JSON.parse(body) as { type: string }).type);

test('what HubSpot refuses is parked with its reason, and people are told of it, not HubSpot', async () => {
	await using crm = await startHubspot();
	await using people = await startWebhookReceiver();
	await using storing = await startStoring(to(people, crm));
	await postLead(storing.server.url, { message: 'secret', email: "o'secret@clinicasol.example" });
	await people.received(2);
	const reason = 'HTTP 400 INVALID_EMAIL email';
	await expect.poll(() => storing.server.process.log).toContainEqual(expect.objectContaining({ reason }));
	const id = String(people.requests[0]!.headers['webhook-id']);
	expect((await storing.leads('show', id)).stdout).toMatch(/^hubspot:\S+ +parked .* HTTP 400 INVALID_EMAIL email$/m);
	expect(storing.server.process.output).not.toMatch(/secret|5ec2e7/);
	expect([typesOf(people), crm.requests.length]).toEqual([['lead.received', 'channel.failing'], 1]);
});

test('a held lead reaches a CRM only when it is released, and news of it never does', async () => {
	await using crm = await startHubspot();
	await using people = await startWebhookReceiver();
	await using backend = await startBackend(to(people, crm));
	await backend.quarantine(hit);
	expect([typesOf(people), crm.requests]).toEqual([['leads.quarantined'], []]);
	const [held] = await backend.list();
	await backend.leads('release', held!.id);
	await backend.tryDue();
	expect(await backend.list()).toMatchObject([{ state: 'delivered' }]);
	expect(crm.taken).toMatchObject([
		{ fields: expect.arrayContaining([{ objectTypeId: '0-1', name: 'lastname', value: lead.name }]) },
	]);
	expect(crm.requests).toHaveLength(1);
});

test('a test makes a contact only if the operator wants that', async () => {
	await using crm = await startHubspot();
	await using people = await startWebhookReceiver();
	await using storing = await startStoring(to(people, crm));
	const [without, wanted] = [await storing.leads('test'), await storing.leads('test', '--crm')];
	expect([without.code, without.stdout]).toEqual([0, expect.stringMatching(/^hubspot:\S+ was left out: .* add --crm/m)]);
	expect([wanted.code, wanted.stdout]).toEqual([0, expect.stringMatching(/^hubspot:\S+ +ok$/m)]);
	expect(crm.taken).toHaveLength(1);
});
