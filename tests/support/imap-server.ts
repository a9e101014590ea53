import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { originAt } from '../../src/lead/values.ts';
import { onFreePorts, reached } from './listening.ts';
import { missingDaemon } from './missing.ts';
import { TestProcess } from './process.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';

const PROGRAM = '/usr/sbin/dovecot';

export const dovecotMissing = missingDaemon('dovecot-imapd', existsSync(PROGRAM));

/** Starts Debian's Dovecot with one mailbox: `url` to read it by, `deliver` puts a mail into it. @param host an IP address of this machine */
export async function startImapServer(host = '127.0.0.1') {
	const folder = await temporaryFolder();
	for (const part of ['tmp', 'new', 'cur']) await mkdir(`${folder.path}/mail/${part}`, { recursive: true });
	execFileSync('chown', ['-R', 'mail', folder.path]);
	const configuration = (port: number) => `
		base_dir = ${folder.path}/run
		log_path = /dev/stderr
		protocols = imap
		listen = ${host}
		ssl = no
		disable_plaintext_auth = no
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
		service anvil {
			chroot =
		}
		service stats {
			chroot =
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
	const { server, port } = await onFreePorts(async (port) => {
		await writeFile(`${folder.path}/dovecot.conf`, configuration(port));
		// Dovecot's workers end with it only if it can tell them.
		const server = new TestProcess(['-F', '-c', `${folder.path}/dovecot.conf`], { program: PROGRAM, end: 'TERM' });
		await server.until(() => reached(port, host));
		return { server, port };
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
