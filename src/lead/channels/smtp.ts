import type { NodemailerError, SendMailOptions, Transporter } from 'nodemailer';
import { isLoopback } from '../../values/loopback.ts';
import { type Delivery, type Failure, failureOf } from './channel.ts';

/** What mail is signed with (RFC 6376). */
export interface DkimKey {
	domainName: string;
	keySelector: string;
	/** RSA, PEM. */
	privateKey: string;
}

/** Hands one mail over. Delivered is what the server has taken for at least one recipient. Never throws. */
export type SendMail = (mail: SendMailOptions, signal: AbortSignal) => Promise<Delivery>;

/** In milliseconds: how long each step may take before the mail server counts as down. */
const timeouts = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 25_000 };

/**
 * @param url `smtps:` speaks TLS from the start. `smtp:` demands STARTTLS (RFC 3207), but for a server on this machine.
 *   What stands behind `?` is an option of nodemailer and wins: `?requireTLS=false` for a relay behind the same firewall, for example.
 * @param dkim undefined where the mail server signs, or nobody
 */
export function smtp(url: string, dkim?: DkimKey): SendMail {
	const options = { ...optionsFor(url), dkim };
	let transport: Transporter | undefined;

	return async (mail, signal) => {
		try {
			// Loaded with the first mail, and not at the start, which it would make twice as long.
			transport ??= (await import('nodemailer')).createTransport(options);
			const { accepted = [], rejected = [] } = await transport.sendMail({ ...mail, signal });
			if (rejected.length === 0) return { ok: true };
			return { ok: true, note: `${rejected.length} of ${accepted.length + rejected.length} recipients were refused` };
		} catch (error) {
			return refusalOf(error as NodemailerError) ?? failureOf(error, signal);
		}
	};
}

function optionsFor(url: string) {
	const local = isLoopback(new URL(url));
	return { url, requireTLS: !local, ignoreTLS: local, ...timeouts };
}

/** Connects as for a mail, TLS and login included, and sends none. Never throws. @param url as for {@link smtp} */
export async function greet(url: string): Promise<Delivery> {
	const transport = (await import('nodemailer')).createTransport(optionsFor(url));
	try {
		await transport.verify();
		return { ok: true };
	} catch (error) {
		return refusalOf(error as NodemailerError) ?? failureOf(error, new AbortController().signal);
	} finally {
		transport.close();
	}
}

/** The failure that the server answered; undefined: it gave no answer. Its words are left out, since they name addresses. */
function refusalOf({ code, responseCode, command, permanent = false }: NodemailerError): Failure | undefined {
	// nodemailer refuses by itself to send to nobody, and an address that it cannot read.
	if (responseCode === undefined) return code === 'EENVELOPE' ? { ok: false, permanent: true, reason: code } : undefined;
	return { ok: false, permanent, reason: [`SMTP ${responseCode}`, command].filter(Boolean).join(' to ') };
}

/** Whether it was the sender of the envelope that the server did not like. */
export const refusedSender = (delivery: Delivery) =>
	!delivery.ok && delivery.permanent && delivery.reason.endsWith(' to MAIL FROM');
