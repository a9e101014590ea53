import { failureOf } from './channel.ts';
import { isLoopback } from '../lead/values.ts';

/** Returns why a mailbox cannot be used, as its server says it or, where TLS is at fault, as we do. */
export function mailboxFault(error: Error & { responseText?: string }): string {
	const { outlook, reason } = failureOf(error);
	return outlook === 'lasting' ? reason : (error.responseText ?? error.message);
}

export const ANSWER_MS = 15_000;

/**
 * Opens the user's mailbox that a URL names (RFC 5092). @param limit how long an answer may take, in milliseconds
 * @throws the server's last words, or its refusal, or what else failed
 */
export async function openMailbox(url: URL, limit = ANSWER_MS) {
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
	const whileOpen = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		try {
			return await work();
		} catch (error) {
			// An open connection would keep a program from ending.
			client.close();
			throw client.byeReason ? new Error(client.byeReason) : (lost ?? error);
		}
	};
	/** Opened again, it shows what came since. */
	const open = () => client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX');
	await whileOpen(() => client.connect().then(open));
	return {
		/** Does work in the mailbox as it is now. Closes the connection if that fails, and rejects as {@link openMailbox}. */
		use: <Result>(work: (mailbox: typeof client) => Promise<Result>) => whileOpen(() => open().then(() => work(client))),
		async [Symbol.asyncDispose]() {
			await client.logout().catch(() => {});
		},
	};
}
