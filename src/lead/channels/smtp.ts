import type { NodemailerError, SendMailOptions, Transporter } from 'nodemailer';
import { normalizeAddress } from '../email-address.ts';
import { type Failure, failureOf, type Recipients, type SendResult } from './channel.ts';
import { isLoopback } from '../../values/value.ts';

/**
 * Sends a mail to the recipients of its envelope that are not settled. Reports success when the server has taken it for at least
 * one recipient and has put off none (4xx). Never throws.
 */
export type SendMail = (mail: SendMailOptions, signal: AbortSignal, settled?: Recipients) => Promise<SendResult>;

/** In milliseconds: how long a mail server may take to greet, and to answer each command. Many let strangers wait six seconds for the greeting. */
const timeouts = { dnsTimeout: 5000, connectionTimeout: 25_000, greetingTimeout: 25_000, socketTimeout: 25_000 };

/**
 * @param url `smtps:` uses TLS from the start. `smtp:` requires STARTTLS (RFC 3207), except for a server on this machine.
 * Parameters behind `?` are options of nodemailer and win, for example `?requireTLS=false` for a relay behind the same firewall.
 */
export function smtp(url: string): SendMail {
	let transport: Transporter | undefined;

	return async (mail, signal, settled = {}) => {
		const to = ([mail.envelope?.to ?? []].flat() as string[]).filter((address) => !(normalizeAddress(address) in settled));
		// The recipient that was put off is no longer configured.
		if (to.length === 0 && Object.values(settled).includes('taken')) return resultOf(settled, []);
		try {
			// Loaded for the first mail, because loading it at the start would double the start-up time.
			transport ??= (await import('nodemailer')).createTransport(optionsFor(url));
			const sent = await transport.sendMail({ ...mail, envelope: { ...mail.envelope, to }, signal });
			const taken = (sent.accepted as string[]).map((address) => [normalizeAddress(address), 'taken']);
			return resultOf({ ...settled, ...Object.fromEntries(taken) }, sent.rejectedErrors ?? []);
		} catch (error) {
			const { rejectedErrors } = error as NodemailerError;
			if (rejectedErrors) return resultOf(settled, rejectedErrors);
			return refusalOf(error as NodemailerError) ?? failureOf(error, signal);
		}
	};
}

/** @param refusals the recipients refused at this try. A recipient in neither list was not tried */
function resultOf(settled: Recipients, refusals: NodemailerError[]): SendResult {
	const [final, passing] = [refusals.filter(isFinal), refusals.filter((refusal) => !isFinal(refusal))];
	const recipients: Recipients = { ...settled };
	for (const { recipient } of final) recipients[normalizeAddress(recipient!)] = 'refused';
	const total = Object.keys(recipients).length + passing.length;
	const refused = Object.values(recipients).filter((state) => state === 'refused').length;
	const note = refused > 0 ? `${refused} of ${total} recipients were refused` : undefined;
	if (passing.length === 0 && refused < total) return { ok: true, ...(note && { note }) };
	const failure = refusalOf(passing[0] ?? refusals[0]!)!;
	if (passing.length === 0 || passing.length === total) return failure;
	const reason = `${passing.length} of ${total} recipients were put off: ${failure.reason}`;
	return { ...failure, reason: note ? `${reason}; ${note}` : reason, recipients };
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
