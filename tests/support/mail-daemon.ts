/** A mail server of Debian's, run for one test in a folder of its own: no system service, nothing outside the folder. */
export interface MailDaemon extends AsyncDisposable {
	/** `smtp://127.0.0.1:port`. */
	url: string;
	/** The same server, TLS from the start. */
	tlsUrl: string;
	/** The Maildir of `sales@website.test`. */
	mailbox: string;
}

/** What a test may ask of the server. */
export interface MailDaemonOptions {
	/** PEM, key and certificate; with one, STARTTLS is offered and demanded. */
	certificate?: { key: string; cert: string };
	/** Demands this login. */
	login?: { user: string; pass: string };
	/** In bytes, of a mail. */
	sizeLimit?: number;
	/** Whether addresses in all letters are taken (RFC 6531); they are unless said otherwise. */
	smtpUtf8?: boolean;
}

/** Why tests with a server are skipped; undefined when it is there. Said once, since a skipped test says nothing. */
export function missing(name: string, installed: boolean): string | undefined {
	if (installed && process.getuid?.() === 0) return undefined;
	const reason = `${name} tests skipped: they need root and Debian’s ${name}, as .ci/run installs it.`;
	console.warn(reason);
	return reason;
}
