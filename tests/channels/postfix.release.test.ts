import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'vitest';
import { type Bounce, readBounces } from '../../src/outbox/bounces.ts';
import { confirmationMessage } from '../../src/channels/entry.ts';
import { email, visitorMail } from '../../src/channels/smtp.ts';
import { type Message, referenceOf } from '../../src/channels/message.ts';
import { dovecotMissing, startImapServer } from '../support/imap-server.ts';
import { messageWith, parties } from '../support/lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { onFreePorts, reached } from '../support/listening.ts';
import { missingDaemon } from '../support/missing.ts';
import { TestProcess, user } from '../support/process.ts';
import { disposing, temporaryFolder } from '../support/temporary-folder.ts';

const DAEMONS = '/usr/lib/postfix/sbin';
const QUEUES = ['active', 'bounce', 'defer', 'deferred', 'incoming', 'pid', 'private', 'public'].map((name) => `queue/${name}`);

const postfixMissing = missingDaemon('postfix', existsSync(`${DAEMONS}/master`));

/**
 * Starts a private Postfix with one mailbox for `website@website.test`, `sales@website.test`, `büro@website.test` and
 * `.abc..def.@website.test`. @param setting a line of its own for `main.cf`
 */
async function startPostfix(setting = '') {
	const nobody = user('nobody');
	const folder = await temporaryFolder();
	const at = (...names: string[]) => path.join(folder.path, ...names);

	// Its processes run as several users, who must have access.
	await chmod(folder.path, 0o755);
	for (const name of ['data', ...QUEUES, 'mail/sales/new']) await mkdir(at(name), { recursive: true });
	execFileSync('chown', ['postfix', ...['data', ...QUEUES].map((name) => at(name))]);
	execFileSync('chown', ['-R', 'nobody', at('mail')]);
	await writeFile(
		at('main.cf'),
		`compatibility_level = 3.6
queue_directory = ${at('queue')}
data_directory = ${at('data')}
daemon_directory = ${DAEMONS}
maillog_file = ${at('log')}
maillog_file_prefixes = ${folder.path}
myhostname = mail.website.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
local_recipient_maps =
smtpd_peername_lookup = no
virtual_mailbox_domains = website.test
virtual_mailbox_maps = inline:{ website@website.test=sales/, sales@website.test=sales/, büro@website.test=sales/, .abc..def.@website.test=sales/ }
virtual_mailbox_base = ${at('mail')}
virtual_uid_maps = static:${nobody.uid}
virtual_gid_maps = static:${nobody.gid}
${setting}
`,
	);
	const services = (port: number) => `127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
virtual unix - n n - - virtual
postlog unix-dgram n - n - 1 postlogd
`;
	// Each of its processes waits two seconds if the settings were written a moment ago.
	await utimes(at('main.cf'), 0, 0);
	const { started: master, port } = await onFreePorts(async (port) => {
		await writeFile(at('master.cf'), services(port));
		const master = new TestProcess(['-c', folder.path], { program: `${DAEMONS}/master`, detached: true, end: 'TERM' });
		return master.until(
			() => reached(port),
			// A port in use is all that it finds before it has a log.
			() => (existsSync(at('log')) ? readFileSync(at('log'), 'utf8') : 'EADDRINUSE'),
		);
	});
	return { url: `smtp://127.0.0.1:${port}`, mailbox: at('mail', 'sales'), ...disposing(master, folder) };
}

const send = (url: string, to: string[], message: Message) =>
	email(url, { ...parties, to }).send(message, new AbortController().signal);

describe.skipIf(postfixMissing)('With Postfix', { concurrent: true }, () => {
	test.for([
		['sales@website.test', 'yes'],
		['büro@website.test', 'yes'],
		['büro@website.test', 'no'],
		['.abc..def.@website.test', 'no'],
	] as const)('%s gets what was sent (SMTPUTF8: %s)', async ([address, smtpUtf8], { expect }) => {
		await using server = await startPostfix(`smtputf8_enable = ${smtpUtf8}`);
		// The domain of the visitor needs no SMTPUTF8.
		const message = messageWith({ email: 'ana@clínica.example' });
		await expect(send(server.url, [address], message)).resolves.toEqual({ ok: true });
		await expect.poll(() => readMaildir(server.mailbox)).toHaveLength(1);
		const [mail] = await readMaildir(server.mailbox);
		const { name, email } = message.lead!;
		expect(mail?.parsed).toMatchObject({ subject: message.subject, replyTo: [{ name, address: email }] });
		expect(mail?.parsed.text?.trimEnd()).toBe(message.text);
		expect(mail?.parsed.to?.map((to) => to.address?.replaceAll('"', ''))).toEqual([address]);
	});

	test('a confirmation comes from our own address where the null sender is refused', async ({ expect }) => {
		await using server = await startPostfix('smtpd_sender_restrictions = check_sender_access inline:{ <>=REJECT }');
		const about = { id: 'id', address: 'sales@website.test', language: 'en', receivedAt: new Date().toISOString() };
		const channel = visitorMail(server.url, parties.from);
		expect(await channel.send(confirmationMessage(about), new AbortController().signal)).toEqual({ ok: true });
		await expect.poll(() => readMaildir(server.mailbox)).toHaveLength(1);
		const [mail] = await readMaildir(server.mailbox);
		expect(mail?.raw).toMatch(/^Return-Path: <website@website\.test>$/m);
	});

	test.skipIf(dovecotMissing)('what Postfix returns is known by its id, recipient and status', async ({ expect }) => {
		// Postfix takes the mail, and returns it to its sender.
		await using server = await startPostfix('smtpd_reject_unlisted_recipient = no');
		const message = messageWith({});
		expect(await send(server.url, ['nobody@website.test'], message)).toEqual({ ok: true });
		await expect.poll(() => readMaildir(server.mailbox)).toHaveLength(1);
		await using imap = await startImapServer();
		const [report] = await readMaildir(server.mailbox);
		await imap.deliver(report!.raw);
		const bounces: Bounce[] = [];
		await readBounces(new URL(imap.url), async (bounce) => void bounces.push(bounce));
		expect(bounces).toMatchObject([
			{ id: message.id, recipients: expect.arrayContaining(['nobody@website.test']), status: '5.1.1' },
		]);
	});

	test('of a lead that is too large the team gets the id, without its words', async ({ expect }) => {
		await using server = await startPostfix('message_size_limit = 20000');
		const message = { ...messageWith({ message: '🦷'.repeat(5000) }), kept: true };
		const delivery = await send(server.url, ['sales@website.test'], message);
		expect(delivery).toMatchObject({ ok: true, note: expect.stringMatching(/: (SMTP 552 .* to DATA|EMESSAGE)$/) });
		await expect.poll(() => readMaildir(server.mailbox)).toHaveLength(1);
		const [mail] = await readMaildir(server.mailbox);
		expect(mail?.parsed.text).toContain(`show ${referenceOf(message.id)}`);
		expect(mail?.parsed.text).not.toContain('🦷');
	});
});
