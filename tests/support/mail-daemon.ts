/** A mail server from Debian, run for one test in its own folder: no system service, and nothing outside the folder. */
export interface MailDaemon extends AsyncDisposable {
	/** `smtp://127.0.0.1:port`. */
	url: string;
	/** The URL of the same server with TLS from the start. */
	tlsUrl: string;
	/** The Maildir of `sales@website.test`. */
	mailbox: string;
}

export interface MailDaemonOptions {
	/** Key and certificate in PEM. With them, the server offers and requires STARTTLS. */
	certificate?: { key: string; cert: string };
	/** Requires this login. */
	login?: { user: string; pass: string };
	/** The limit of a mail, in bytes. */
	sizeLimit?: number;
	/** Whether addresses in all letters are accepted (RFC 6531), by default true. */
	smtpUtf8?: boolean;
}

/** Returns why tests with a server are skipped, or undefined if they run. Prints it once, because a skipped test is silent. */
export function missing(name: string, installed: boolean): string | undefined {
	if (installed && process.getuid?.() === 0) return undefined;
	const reason = `${name} tests skipped: they need root and Debian’s ${name}, as .ci/run installs it.`;
	console.warn(reason);
	return reason;
}
