import { createTransport, type NodemailerError } from 'nodemailer';
import type { Message } from '../message.ts';
import { type Channel, type Delivery, failureOf } from './channel.ts';
import { mailOf, type MailParties } from './mail.ts';

/** In milliseconds. A mail server that needs longer than all of them is as good as down. */
const timeouts = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 8000 };

/**
 * Sends the lead by SMTP. Delivered is what the server has taken for at least one recipient.
 *
 * @param url `smtps:` speaks TLS from the start. `smtp:` demands STARTTLS (RFC 3207), but for a server on this machine.
 *   What stands behind `?` is an option of nodemailer and wins: `?requireTLS=false` for a relay behind the same firewall, for example.
 */
export function email(url: string, parties: MailParties): Channel {
	const local = isLoopback(new URL(url).hostname);
	const transport = createTransport({ url, requireTLS: !local, ignoreTLS: local, ...timeouts });
	return { name: 'email', send };

	async function send(message: Message, signal: AbortSignal): Promise<Delivery> {
		try {
			await transport.sendMail({ ...mailOf(message, parties), signal });
			return { ok: true };
		} catch (error) {
			return refusalOf(error) ?? failureOf(error, signal);
		}
	}
}

/** What the server answered, if it did. Its words are left out: they name addresses. */
function refusalOf(error: unknown): Delivery | undefined {
	const { responseCode, command, permanent = false } = error as NodemailerError;
	if (responseCode === undefined) return undefined;
	return { ok: false, permanent, reason: [`SMTP ${responseCode}`, command].filter(Boolean).join(' to ') };
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
