import { isLoopback } from '../lead/values.ts';

/** Returns a client of the user's mailbox that a URL names (RFC 5092), and the mailbox. @param limit how long an answer may take, in milliseconds */
export async function imapClient(url: URL, limit: number) {
	const { protocol, hostname, port, username, password, pathname } = url;
	// Only here: it is large, and rarely needed.
	const { ImapFlow } = await import('imapflow');
	const client = new ImapFlow({
		host: hostname.replaceAll(/[[\]]/g, ''),
		port: Number(port) || (protocol === 'imaps:' ? 993 : 143),
		secure: protocol === 'imaps:',
		// Without TLS the password could be read on its way. Nobody is between us and this machine.
		...(protocol === 'imap:' && (isLoopback(url) ? { tls: { rejectUnauthorized: false } } : { doSTARTTLS: true })),
		auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
		logger: false,
		disableAutoIdle: true,
		connectionTimeout: limit,
		greetingTimeout: limit,
		socketTimeout: limit,
	});
	let lost: Error | undefined;
	client.on('error', (error) => (lost = error));
	return {
		client,
		mailbox: decodeURIComponent(pathname.slice(1)) || 'INBOX',
		/** Closes the connection at once, and returns why it ended: in the server's last words, if it had some. */
		closeAfter(error: unknown): unknown {
			client.close();
			return client.byeReason ? new Error(client.byeReason) : (lost ?? error);
		},
	};
}
