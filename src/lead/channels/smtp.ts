import type { NodemailerError, SendMailOptions, Transporter } from 'nodemailer';
import { type Failure, failureOf, type SendResult } from './channel.ts';
import { isLoopback } from '../../values/value.ts';

/** Sends a mail. Succeeds when the server has taken it for at least one recipient and has put off none (4xx). Never throws. */
export type SendMail = (mail: SendMailOptions, signal: AbortSignal) => Promise<SendResult>;

/** In milliseconds: how long a mail server may take to greet, and to answer each command. Many let strangers wait six seconds for the greeting. */
const timeouts = { dnsTimeout: 5000, connectionTimeout: 25_000, greetingTimeout: 25_000, socketTimeout: 25_000 };

/**
 * @param url `smtps:` uses TLS from the start. `smtp:` requires STARTTLS (RFC 3207), except for a server on this machine.
 * Parameters behind `?` are options of nodemailer and win, for example `?requireTLS=false` for a relay behind the same firewall.
 */
export function smtp(url: string): SendMail {
	let transport: Transporter | undefined;

	return async (mail, signal) => {
		try {
			// Loaded for the first mail, because loading it at the start would double the start-up time.
			transport ??= (await import('nodemailer')).createTransport(optionsFor(url));
			const sent = await transport.sendMail({ ...mail, signal });
			const refusals: NodemailerError[] = sent.rejectedErrors ?? [];
			if (refusals.length === 0) return { ok: true };
			const putOff = refusals.filter((refusal) => !isFinal(refusal));
			const of = `of ${sent.accepted!.length + refusals.length} recipients were`;
			if (putOff.length === 0) return { ok: true, note: `${refusals.length} ${of} refused` };
			const failure = refusalOf(putOff[0]!)!;
			return { ...failure, partial: true, reason: `${putOff.length} ${of} put off: ${failure.reason}` };
		} catch (error) {
			// Each recipient was refused.
			const { rejectedErrors = [] } = error as NodemailerError;
			const refusal = rejectedErrors.find((each) => !isFinal(each)) ?? rejectedErrors[0];
			return refusalOf(refusal ?? (error as NodemailerError)) ?? failureOf(error, signal);
		}
	};
}

function optionsFor(url: string) {
	const local = isLoopback(new URL(url));
	return { url, requireTLS: !local, ignoreTLS: local, ...timeouts };
}

/** Connects as for a mail, with TLS and login, and sends none. Never throws. @param url as for {@link smtp} */
export async function greet(url: string): Promise<SendResult> {
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

/** Returns the server's refusal, or undefined if it did not answer. Leaves out its words, because they name addresses. */
function refusalOf(error: NodemailerError): Failure | undefined {
	const { code, response, responseCode, command } = error;
	// nodemailer itself refuses a mail without recipients, and an address that it cannot read. An answer without a code is none.
	if (responseCode === undefined)
		return code === 'EENVELOPE' ? { ok: false, permanent: response === undefined, reason: code } : undefined;
	return { ok: false, permanent: isFinal(error), reason: [`SMTP ${responseCode}`, command].filter(Boolean).join(' to ') };
}

/**
 * Returns whether the server refused this mail, or the login, for good. If it refuses to talk at all, to encrypt, or to go on
 * without login or encryption, somebody's settings are wrong, and the mail can pass once they are corrected.
 */
const isFinal = ({ code = '', responseCode, permanent = false }: NodemailerError) =>
	permanent && ['EENVELOPE', 'EMESSAGE', 'EAUTH'].includes(code) && !ofSettings.has(responseCode!);

/** The server requires a login, another kind of login, or encryption (RFC 4954 section 6, RFC 3207 section 4). */
const ofSettings = new Set([530, 534, 538]);

/** Returns whether the server refused the sender of the envelope. */
export const refusedSender = (result: SendResult) => !result.ok && result.permanent && result.reason.endsWith(' to MAIL FROM');
