import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { email } from '../../src/channels/smtp.ts';
import { mailbox } from '../../src/channels/mailbox.ts';
import { messageWith, parties } from '../support/lead.ts';
import { readMaildir } from '../support/maildir.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();
const message = messageWith();

test('The mailbox keeps the very mail that SMTP carries, but for the line ends', async () => {
	await using folder = await temporaryFolder();
	await using server = await startSmtpServer();
	const now = { ...message, receivedAt: new Date().toISOString() };
	await Promise.all([mailbox(folder.path, parties).send(now, signal), email(server.url, parties).send(now, signal)]);
	const [[kept], [sent]] = [await readMaildir(folder.path), server.mails];
	expect(kept?.raw.trimEnd()).toBe(sent?.raw.replaceAll('\r\n', '\n').trimEnd());
	expect(kept?.parsed.subject).toBe(`${service.name} lead: Ana Ruiz, Clínica Sol, Spain`);
});

test('The mailbox holds each lead once, however often it is delivered', async () => {
	await using folder = await temporaryFolder();
	const channel = mailbox(folder.path, parties);
	await Promise.all(['1', '2', '3'].map((id) => channel.send({ ...message, id }, signal)));
	await channel.send({ ...message, id: '1' }, signal);
	const names = (await readMaildir(folder.path)).map(({ name }) => name);
	expect(names.toSorted()).toEqual(['1', '2', '3'].map((id) => `1795253400.${id}.website.test`));
	await expect(readdir(path.join(folder.path, 'tmp'))).resolves.toEqual([]);
});

test('The mailbox is made with the first lead, as a Maildir that only our user can read', async () => {
	await using folder = await temporaryFolder();
	const place = path.join(folder.path, 'deep', 'mailbox');
	const channel = mailbox(place, parties);
	await expect(readdir(folder.path)).resolves.toEqual([]);
	await channel.send(message, signal);
	await expect(readdir(place)).resolves.toEqual(['cur', 'new', 'tmp']);
	const [entry] = await readMaildir(place);
	for (const made of [place, path.join(place, 'new', entry!.name)]) expect((await stat(made)).mode & 0o077).toBe(0);
});

test('A mailbox at a relative path is made even after the folder that the server was started in was removed', async () => {
	await using folder = await temporaryFolder();
	const [before, project] = [process.cwd(), path.join(folder.path, 'project')];
	await mkdir(project);
	process.chdir(project);
	onTestFinished(() => process.chdir(before));
	const channel = mailbox('mailbox', parties);
	await rm(project, { recursive: true });
	await expect(channel.send(message, signal)).resolves.toEqual({ ok: true });
	await expect(readMaildir(path.join(project, 'mailbox'))).resolves.toHaveLength(1);
});
