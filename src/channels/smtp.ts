import type { NodemailerError, SendMailOptions, Transporter } from 'nodemailer';
import type { Lead } from '../lead/lead.ts';
import { HOUR_MS, isLoopback } from '../lead/values.ts';
import { type Channel, type Failure, failureOf, type SendResult } from './channel.ts';
import { mailOf, mailToVisitor, mailWithoutWords } from './mail.ts';
import { type MailParties, recipientsOf } from './routes.ts';

/**
 * Mails to the sales team: to all of a message's list or, with a place from 1 on, to the one recipient there. A message that is refused for
 * what it says goes without a visitor's words. `smtps:` uses TLS from the start. `smtp:` requires STARTTLS (RFC 3207); on this machine it
 * uses it where it is offered, with any certificate. Parameters behind `?` are options of nodemailer and win.
 */
export function email(url: string, parties: MailParties, place?: number): Channel {
	const sendMail = mailer(url);
	const name = place === undefined ? 'email' : `email-${place}`;
	/** Where there are several, a mail that comes back is known by it. */
	const own = place === undefined ? {} : { 'X-Channel': name };
	const recipients = (lead?: Partial<Lead>) => recipientsOf(lead, parties).slice(place && place - 1, place);
	return {
		name,
		takes: (lead) => recipients(lead).length > 0,
		recipients,
		async send(message, signal) {
			// Empty, if the list became shorter while the message waited.
			const to = recipients(message.lead);
			const send = async (mail: SendMailOptions): Promise<SendResult> => {
				// A mail for each: if one mail went to several, a refused recipient among them would not count as a failure.
				const results: SendResult[] = [];
				const headers = { ...(mail.headers as object), ...own };
				for (const one of to.length > 1 ? to : [to])
					results.push(await sendMail({ ...mail, headers, envelope: { from: parties.from.address, to: one } }, signal));
				return results.find(({ ok }) => !ok) ?? results[0]!;
			};
			const whole = await send(mailOf(message, parties));
			// Without the visitor's words, a lead that no store keeps would be lost.
			if (whole.ok || whole.outlook !== 'final' || !message.kept || !/ to DATA$|^EMESSAGE$/.test(whole.reason)) return whole;
			const bare = await send(mailWithoutWords(message, parties));
			if (bare.ok) return { ok: true, note: `without the visitor's words: ${whole.reason}` };
			// Then it is not for the words: Exchange judges the sender only after DATA, and Gmail how much we send.
			return bare.outlook === 'final' && bare.reason.endsWith(' to DATA') ? { ...bare, outlook: 'lasting' } : bare;
		},
	};
}

export const CONFIRMATION = 'confirmation';

/**
 * Confirms to a visitor, by mail, that their message came in. A confirmation is a courtesy: one that is an hour late would puzzle them, and is
 * not sent, and one that is refused for good is not tried again. Both count as done, so that no operator has to act.
 * @param returns whether somebody reads what comes back to the sender
 */
export function visitorMail(url: string, from: MailParties['from'], returns = false): Channel {
	const sendMail = mailer(url);
	return {
		name: CONFIRMATION,
		async send(message, signal) {
			if (message.to === undefined || Date.now() - Date.parse(message.receivedAt) > HOUR_MS)
				return { ok: true, note: 'not sent: it is too late' };
			const sendFrom = (envelopeFrom: string) => sendMail(mailToVisitor(message, from, envelopeFrom), signal);
			// The null sender gets no bounce or automatic answer (RFC 3834 section 3.3). Some servers refuse it, at any command.
			const first = await sendFrom(returns ? from.address : '');
			const isRefused = !first.ok && / to (MAIL FROM|RCPT TO|DATA)$/.test(first.reason) && !noSuchUser.test(first.reason);
			const result = isRefused ? await sendFrom(from.address) : first;
			return result.ok || result.outlook !== 'final' ? result : { ok: true, note: `not sent: ${result.reason}` };
		},
	};
}

/** Returns the status by which a note of {@link visitorMail} says that there is no such recipient. */
export const unknownIn = (note = ''): string | undefined => noSuchUser.exec(note)?.[1];

/** Finds an unknown recipient by the enhanced status (RFC 3463 section 3.2: 5.1.7 and 5.1.8 are about the sender) or else by the code. */
const noSuchUser = /\bSMTP (5\d\d 5\.1\.(?![78] )\d+|55[013]) to RCPT TO$/;

/** Connects as for a mail, with TLS and login, and sends none. Never throws. @param url as for {@link email} */
export async function greet(url: string): Promise<SendResult> {
	const transport = await connect(url);
	const greeting = transport.verify().then(() => ({ ok: true }) as const, failureFrom);
	return greeting.finally(() => transport.close());
}

/** Returns a function that sends a mail to one recipient. It never throws. */
function mailer(url: string): (mail: SendMailOptions, signal: AbortSignal) => Promise<SendResult> {
	let transport: Transporter | undefined;
	return async (mail, signal) => {
		try {
			transport ??= await connect(url);
			await transport.sendMail({ ...mail, signal });
			return { ok: true };
		} catch (error) {
			return failureFrom(error as NodemailerError, signal);
		}
	};
}

/** A server may take this long to greet, and to answer each command: less than a try. Many let strangers wait six seconds for the greeting. */
const TIMEOUTS_MS = { dnsTimeout: 5000, connectionTimeout: 25_000, greetingTimeout: 25_000, socketTimeout: 85_000 };

async function connect(url: string): Promise<Transporter> {
	// Loaded for the first mail: nodemailer would double the start-up time.
	const { createTransport } = await import('nodemailer');
	const place = new URL(url);
	const servername = /^localhost$/i.exec(place.hostname)?.[0];
	// nodemailer would ask the DNS for this name, and whoever answers would get the leads.
	if (servername) place.hostname = '127.0.0.1';
	// Nobody is between us and this machine. The certificate that Debian gives Postfix is signed by nobody.
	const here = { opportunisticTLS: !place.username, tls: { servername, rejectUnauthorized: place.protocol === 'smtps:' } };
	return createTransport({ url: place.href, ...(isLoopback(place) ? here : { requireTLS: true }), ...TIMEOUTS_MS });
}

/** Returns the codes of the server's refusal or, if it did not answer, what failed. Leaves out the server's words, because they name addresses. */
function failureFrom(error: NodemailerError, signal?: AbortSignal): Failure {
	const { code = '', response, responseCode, command } = error;
	const failure = failureOf(error, signal);
	// nodemailer itself refuses a mail without recipients, and an address that it cannot read. An answer without a code decides nothing.
	const isRefused = ['EENVELOPE', 'EMESSAGE'].includes(code) && response === undefined;
	if (responseCode === undefined) return isRefused ? { ...failure, outlook: 'final' } : failure;
	const [enhanced] = /(?<=^\d{3}[ -]#?)[45]\.\d{1,3}\.\d{1,3}(?!\S)/.exec(response ?? '') ?? [];
	const reason = ['SMTP', responseCode, enhanced, command && `to ${command}`].filter(Boolean).join(' ');
	return { ok: false, outlook: outlookOf(error, reason), reason };
}

/** Returns the outlook of an answer. Before the server has judged the recipient it refuses us, and the mail can pass once our settings or our reputation is mended. */
function outlookOf({ command = '', permanent }: NodemailerError, reason: string): Failure['outlook'] {
	if (!permanent) return 'passing';
	return ['RCPT TO', 'DATA'].includes(command) && !aboutUs.test(reason) ? 'final' : 'lasting';
}

/** A login or encryption is missing (RFC 4954 section 6, RFC 3207 section 4), or the recipient's turn shows what is wrong with the sender (RFC 3463). */
const aboutUs = /^SMTP (53[0458]|\d+ 5\.(7\.\d+|1\.[78]) to RCPT TO)/;
