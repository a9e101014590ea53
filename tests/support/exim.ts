import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePorts } from './free-port.ts';
import { type MailDaemon, type MailDaemonOptions, missing } from './mail-daemon.ts';
import { printed } from './printed.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { tethered } from './tether.ts';

const PROGRAM = ['/usr/local/sbin/exim4', '/usr/sbin/exim4'].find((file) => existsSync(file));

export const eximMissing = missing('exim4', PROGRAM !== undefined);

/** Starts Exim for `sales@website.test` and `büro@website.test`. It puts off `later@website.test`. */
export async function startExim({
	certificate,
	login,
	sizeLimit = 1_000_000,
	smtpUtf8 = true,
}: MailDaemonOptions = {}): Promise<MailDaemon> {
	const folder = await temporaryFolder();
	const at = (...names: string[]) => path.join(folder.path, ...names);
	const [port, tlsPort] = (await freePorts(2)) as [number, number];
	await chmod(folder.path, 0o777);
	for (const name of ['spool', 'sales', 'sales/new']) {
		await mkdir(at(name));
		await chmod(at(name), 0o777);
	}
	if (certificate) await writeFile(at('tls.pem'), certificate.key + certificate.cert, { mode: 0o644 });
	const accepted = `  accept recipients = sales@website.test : büro@website.test`;
	const guards = [...(certificate ? ['  deny !encrypted = *'] : []), ...(login ? ['  deny !authenticated = *'] : [])];
	await writeFile(
		at('exim.conf'),
		`exim_path = ${PROGRAM}
keep_environment =
primary_hostname = mail.website.test
spool_directory = ${at('spool')}
log_file_path = ${at('log-%s')}
pid_file_path = ${at('pid')}
daemon_smtp_ports = ${port} : ${tlsPort}
local_interfaces = 127.0.0.1
${certificate ? `tls_on_connect_ports = ${tlsPort}\ntls_certificate = ${at('tls.pem')}\ntls_advertise_hosts = *` : 'tls_advertise_hosts ='}
message_size_limit = ${sizeLimit}
smtputf8_advertise_hosts = ${smtpUtf8 ? '*' : ''}
auth_advertise_hosts = ${login ? '*' : ''}
host_lookup =
rfc1413_query_timeout = 0s
deliver_drop_privilege = true
acl_smtp_rcpt = recipients
acl_smtp_data = accept

begin acl
recipients:
  defer recipients = later@website.test
${[...guards, accepted].join('\n')}
  deny

begin routers
all:
  driver = accept
  transport = maildir

begin transports
maildir:
  driver = appendfile
  directory = ${at('sales')}
  maildir_format
  mode = 0644

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{${login?.user}}}{eq{$auth3}{${login?.pass}}}}}
  server_set_id = $auth2
`,
	);
	const daemon = tethered(() =>
		spawn(PROGRAM!, ['-C', at('exim.conf'), '-bdf', '-v'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true }),
	);
	const exited = once(daemon, 'exit');
	await printed(daemon.stderr, /listening for SMTP/);
	return {
		url: `smtp://127.0.0.1:${port}`,
		tlsUrl: `smtps://127.0.0.1:${tlsPort}`,
		mailbox: at('sales'),
		async [Symbol.asyncDispose]() {
			daemon.kill();
			await exited;
			await folder[Symbol.asyncDispose]();
		},
	};
}
