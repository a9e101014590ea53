import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePorts, type MailDaemon, type MailDaemonOptions, missing } from './mail-daemon.ts';
import { temporaryFolder } from './temporary-folder.ts';

const DAEMONS = '/usr/lib/postfix/sbin';

export const postfixMissing = missing('postfix', existsSync(`${DAEMONS}/master`));

/** Postfix, for `sales@anteroom.test` and `büro@anteroom.test`. It knows no login: that is for Exim. */
export async function startPostfix({
	certificate,
	sizeLimit = 1_000_000,
	smtpUtf8 = true,
}: MailDaemonOptions = {}): Promise<MailDaemon> {
	const folder = await temporaryFolder();
	const at = (...names: string[]) => path.join(folder.path, ...names);
	const [port, tlsPort] = (await freePorts(2)) as [number, number];
	const tls = certificate ? `smtpd_tls_chain_files = ${at('tls.pem')}` : '';

	// Its processes are of several users, who must get through.
	await chmod(folder.path, 0o755);
	for (const name of ['queue', 'data', 'mail', 'mail/sales', 'mail/sales/new']) await mkdir(at(name));
	for (const name of ['mail', 'mail/sales', 'mail/sales/new']) await chown(at(name), idOf('-u', 'nobody'), idOf('-g', 'nobody'));
	await chown(at('data'), idOf('-u', 'postfix'), idOf('-g', 'postfix'));
	if (certificate) await writeFile(at('tls.pem'), certificate.key + certificate.cert, { mode: 0o600 });
	await writeFile(
		at('main.cf'),
		`compatibility_level = 3.6
queue_directory = ${at('queue')}
data_directory = ${at('data')}
daemon_directory = ${DAEMONS}
maillog_file = ${at('log')}
maillog_file_prefixes = ${folder.path}
myhostname = mail.anteroom.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
local_recipient_maps =
smtpd_peername_lookup = no
smtpd_recipient_restrictions = reject_unauth_destination
smtpd_tls_security_level = ${certificate ? 'encrypt' : 'none'}
${tls}
message_size_limit = ${sizeLimit}
smtputf8_enable = ${smtpUtf8 ? 'yes' : 'no'}
virtual_mailbox_domains = anteroom.test
virtual_mailbox_maps = inline:{ sales@anteroom.test=sales/, büro@anteroom.test=sales/ }
virtual_mailbox_base = ${at('mail')}
virtual_uid_maps = static:${idOf('-u', 'nobody')}
virtual_gid_maps = static:${idOf('-g', 'nobody')}
`,
	);
	await writeFile(
		at('master.cf'),
		`127.0.0.1:${port} inet n - n - - smtpd
127.0.0.1:${tlsPort} inet n - n - - smtpd -o smtpd_tls_wrappermode=${certificate ? 'yes' : 'no'}
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`,
	);
	const control = (command: string) => promisify(execFile)('postfix', ['-c', folder.path, command]);
	await control('start');
	const orphaned = () => spawnSync('postfix', ['-c', folder.path, 'abort']);
	process.once('exit', orphaned);
	return {
		url: `smtp://127.0.0.1:${port}`,
		tlsUrl: `smtps://127.0.0.1:${tlsPort}`,
		mailbox: at('mail', 'sales'),
		async [Symbol.asyncDispose]() {
			process.off('exit', orphaned);
			await control('stop');
			await folder[Symbol.asyncDispose]();
		},
	};
}

const idOf = (option: '-u' | '-g', user: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8' }));
