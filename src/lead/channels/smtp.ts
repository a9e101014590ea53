import type { NodemailerError, SendMailOptions, Transporter } from 'nodemailer';
import { isLoopback } from '../../values/loopback.ts';
import { comparable } from '../email-address.ts';
import { type Delivery, type Failure, failureOf, type Recipients } from './channel.ts';

/** What mail is signed with (RFC 6376). */
export interface DkimKey {
	domainName: string;
	keySelector: string;
	/** RSA, PEM. */
	privateKey: string;
}

/**
 * Hands one mail over to the recipients of its envelope that are not settled. It is delivered when no recipient is put off (4xx) and
 * the server has taken it for at least one. Never throws.
 */
export type SendMail = (mail: SendMailOptions, signal: AbortSignal, settled?: Recipients) => Promise<Delivery>;

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

	return async (mail, signal, settled = {}) => {
		const to = ([mail.envelope?.to ?? []].flat() as string[]).filter((address) => !(comparable(address) in settled));
		// Whoever was put off is no longer among the recipients.
		if (to.length === 0 && Object.values(settled).includes('taken')) return verdict(settled, []);
		try {
			// Loaded with the first mail, and not at the start, which it would make twice as long.
			transport ??= (await import('nodemailer')).createTransport(options);
			const sent = await transport.sendMail({ ...mail, envelope: { ...mail.envelope, to }, signal });
			const taken = (sent.accepted as string[]).map((address) => [comparable(address), 'taken']);
			return verdict({ ...settled, ...Object.fromEntries(taken) }, sent.rejectedErrors ?? []);
		} catch (error) {
			const { rejectedErrors } = error as NodemailerError;
			if (rejectedErrors) return verdict(settled, rejectedErrors);
			return refusalOf(error as NodemailerError) ?? failureOf(error, signal);
		}
	};
}

/** @param refusals those of recipients at this try; whoever is in neither list was not tried */
function verdict(settled: Recipients, refusals: NodemailerError[]): Delivery {
	const [final, passing] = [refusals.filter(isFinal), refusals.filter((refusal) => !isFinal(refusal))];
	const recipients: Recipients = { ...settled };
	for (const { recipient } of final) recipients[comparable(recipient!)] = 'refused';
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
function refusalOf(error: NodemailerError): Failure | undefined {
	const { code, responseCode, command } = error;
	// nodemailer refuses by itself to send to nobody, and an address that it cannot read.
	if (responseCode === undefined) return code === 'EENVELOPE' ? { ok: false, permanent: true, reason: code } : undefined;
	return { ok: false, permanent: isFinal(error), reason: [`SMTP ${responseCode}`, command].filter(Boolean).join(' to ') };
}

/**
 * Whether the server refused this very mail, or the login, for good. A refusal to talk at all, to encrypt, or to go on without a login
 * or encryption is a fault in somebody's settings, and passes when they are mended.
 */
const isFinal = ({ code = '', responseCode, permanent = false }: NodemailerError) =>
	permanent && ['EENVELOPE', 'EMESSAGE', 'EAUTH'].includes(code) && !ofSettings.has(responseCode!);

/** A login or another kind of login is wanted, or encryption (RFC 4954 section 6, RFC 3207 section 4). */
const ofSettings = new Set([530, 534, 538]);

/** Whether it was the sender of the envelope that the server did not like. */
export const refusedSender = (delivery: Delivery) =>
	!delivery.ok && delivery.permanent && delivery.reason.endsWith(' to MAIL FROM');
