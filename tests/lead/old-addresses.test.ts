import { describe, expect, test } from 'vitest';
import { openStore } from '../../src/lead/store/index.ts';
import { runLeads } from '../support/leads-command.ts';
import { receivedLead } from '../support/lead.ts';
import { newEntry } from './store/entries.ts';
import { startServer } from '../support/server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Returns a store with a lead whose address the form does not accept, as a released entry may have, and a mail server. */
async function storeOf(email: string, entry: Partial<Parameters<typeof newEntry>[0]> = {}) {
	const folder = await temporaryFolder();
	const smtp = await startSmtpServer();
	const path = `${folder.path}/leads.db`;
	const received = receivedLead();
	const payload = JSON.stringify({ ...received, lead: { ...received.lead, email } });
	await using store = await openStore({ kind: 'sqlite', path });
	await store.insert(newEntry({ id: received.id, email, payload, ...entry }));
	const env = {
		LEAD_STORE: `sqlite:${path}`,
		...smtp.settings,
	};
	return {
		smtp,
		start: () => startServer(env),
		leads: async (...args: string[]) => (await runLeads(args, env)).stdout,
		async [Symbol.asyncDispose]() {
			for (const resource of [smtp, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}

describe.each([
	['ana@clínica.example', ['ana@xn--clnica-4va.example'], 'ana@xn--clnica-4va.example'],
	['añá@clínica.example', [], 'añá@xn--clnica-4va.example'],
	['.ana@clinica.example', [], '.ANA@clinica.example'],
])('a stored lead from %s', (email, answered, otherForm) => {
	test('is listed and delivered', async () => {
		await using old = await storeOf(email);
		expect(await old.leads('list', '--long')).toContain(email);
		await using _ = await old.start();
		await old.smtp.received(1);
		const { parsed } = old.smtp.mails[0]!;
		expect(parsed.text).toContain(`Email: ${email}`);
		expect((parsed.replyTo ?? []).map(({ address }) => address)).toEqual(answered);
	});

	test('is released', async () => {
		await using old = await storeOf(email, { quarantine: 'releasable', channels: [] });
		expect(await old.leads('release', receivedLead().id)).toContain('Released');
		await using _ = await old.start();
		await old.smtp.received(1);
		expect(old.smtp.mails[0]!.parsed.text).toContain(`Email: ${email}`);
	});

	test.each([email, otherForm])('is erased by %s', async (form) => {
		await using old = await storeOf(email);
		expect(await old.leads('erase', form, '--yes')).toContain('Deleted 1 entry');
	});
});
