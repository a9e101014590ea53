import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { originAt } from '../../src/server/settings/rules.ts';
import { foreignCertificate } from './certificate.ts';
import { listening, onFreePorts, reached } from './listening.ts';
import { missingDaemon } from './missing.ts';
import { TestProcess } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

const PROGRAM = '/usr/sbin/dovecot';

export const dovecotMissing = missingDaemon('dovecot-imapd', existsSync(PROGRAM));

/** Starts Debian's Dovecot, with a certificate that nobody signed and one mailbox: `url` to read it by, `deliver` puts a mail into it. @param host an IP address of this machine */
export async function startImapServer(host = '127.0.0.1') {
	const folder = await temporaryFolder();
	for (const part of ['tmp', 'new', 'cur']) await mkdir(`${folder.path}/mail/${part}`, { recursive: true });
	execFileSync('chown', ['-R', 'mail', folder.path]);
	const { cert, key } = await foreignCertificate();
	await writeFile(`${folder.path}/cert.pem`, cert);
	await writeFile(`${folder.path}/key.pem`, key);
	const configuration = (port: number) => `
		base_dir = ${folder.path}/run
		log_path = /dev/stderr
		protocols = imap
		listen = ${host}
		ssl = yes
		ssl_cert = <${folder.path}/cert.pem
		ssl_key = <${folder.path}/key.pem
		mail_location = maildir:${folder.path}/mail
		first_valid_uid = 1
		passdb {
			driver = static
			args = password=secret
		}
		userdb {
			driver = static
			args = uid=mail gid=mail home=${folder.path}
		}
		service imap-login {
			chroot =
			inet_listener imap {
				port = ${port}
			}
			inet_listener imaps {
				port = 0
			}
		}
`;
	const { started: server, port } = await onFreePorts(async (port) => {
		await writeFile(`${folder.path}/dovecot.conf`, configuration(port));
		// Dovecot's workers end with it only if it can tell them.
		const server = new TestProcess(['-F', '-c', `${folder.path}/dovecot.conf`], { program: PROGRAM, end: 'TERM' });
		return server.until(() => reached(port, host));
	});
	let mails = 0;
	return {
		url: originAt(host, port).replace('http://', 'imap://canary%40website.test:secret@'),
		async deliver(raw: string): Promise<void> {
			const name = `${Date.now()}.${(mails += 1)}.test`;
			await writeFile(`${folder.path}/mail/tmp/${name}`, raw);
			await rename(`${folder.path}/mail/tmp/${name}`, `${folder.path}/mail/new/${name}`);
		},
		...disposing(server, folder),
	};
}

/** What a mailbox does wrong: it ends the connection, without a word or with one, refuses, or says nothing any more. */
export type ImapFault = 'drop' | 'bye' | 'no' | 'silence';

/** Untagged answers (RFC 3501), by command. The mailbox is empty. */
const untagged: Record<string, string> = {
	CAPABILITY: '* CAPABILITY IMAP4rev1\r\n',
	LIST: '* LIST () "/" INBOX\r\n',
	SELECT: '* 0 EXISTS\r\n',
	SEARCH: '* SEARCH\r\n',
};

/** Starts a server with an empty mailbox. @param fault what it does at a command, or instead of its greeting, the `nth` time (from 1 on) */
export async function startFaultyImapServer(fault: ImapFault, at: 'greeting' | 'LOGIN' | 'SELECT' | 'SEARCH', nth = 1) {
	const server = createServer((socket) => {
		socket.on('error', () => {});
		let times = 0;
		const answer = (command: string, tag: string, text: string) => {
			if (command !== at || (times += 1) < nth) return socket.write(text);
			if (fault === 'drop') socket.destroy();
			if (fault === 'bye') socket.end('* BYE The mailbox is closed\r\n');
			if (fault === 'no') socket.write(`${tag} NO The mailbox is closed\r\n`);
			return true;
		};
		answer('greeting', '*', '* OK [CAPABILITY IMAP4rev1] Hello\r\n');
		createInterface({ input: socket }).on('line', (line) => {
			const [, tag = '', command = ''] = /^(\S+) (?:UID )?(\S+)/.exec(line) ?? [];
			answer(command, tag, `${untagged[command] ?? ''}${tag} OK Done\r\n`);
		});
	});
	const { address, ...started } = await listening(server);
	return { url: `imap://canary:secret@${address}`, ...started };
}
