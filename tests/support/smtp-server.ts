import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import type { Certificate } from './certificate.ts';

export interface SmtpServerOptions {
	/** By the address of a sender (`''` is the null sender) or recipient, or the user of a wrong login: the reply, or replies for the first times, each used once. */
	refuse?: Record<string, Refusal | Refusal[]>;
	/** Requires a login: over TLS, where there is a certificate. */
	login?: { user: string; pass: string };
	/** Offers STARTTLS, or with `secure` uses TLS from the start. */
	certificate?: Certificate;
	secure?: boolean;
	/**
	 * `silent` never greets; `late` greets after six seconds, as Postfix's postscreen; `closed` greets with 554; `drop` hangs up after DATA;
	 * `unready` offers STARTTLS, and refuses it.
	 */
	fault?: 'silent' | 'late' | 'closed' | 'drop' | 'unready';
	/** Judges each mail, after DATA: its reply code, by default 250. */
	judge?: (mail: ReceivedMail, mailsBefore: number) => number | undefined | void | Promise<number | undefined | void>;
}

/** A code, alone or with an enhanced status: `550 5.1.1`. */
type Refusal = number | string;

/** Its sender and its recipients are those of the envelope. */
export interface ReceivedMail {
	from: string;
	to: string[];
	secure: boolean;
	raw: string;
	parsed: Email;
}

/** Starts a real mail server on a free port: `url` to send to, `mails` that it took, and `offered` with those it refused. */
export async function startSmtpServer(options: SmtpServerOptions = {}) {
	const { refuse = {}, login, certificate, secure = false, fault, judge } = options;
	const mails: ReceivedMail[] = [];
	const offered: ReceivedMail[] = [];
	const refusalOf = (address: string) => {
		const codes = refuse[address.toLowerCase()];
		return typeof codes === 'object' ? codes.shift() : codes;
	};
	const server = new SMTPServer({
		...certificate,
		secure,
		disabledCommands: [...(login ? [] : ['AUTH']), ...(certificate ? [] : ['STARTTLS'])],
		allowInsecureAuth: !certificate,
		authOptional: !login,
		disableReverseLookup: true,
		...(fault === 'unready' && { heloResponse: 'Hello STARTTLS' }),
		closeTimeout: 1,
		onConnect(_, done) {
			const greet = () => done(reply(fault === 'closed' ? 554 : undefined, 'No mail here'));
			if (fault === 'late') setTimeout(greet, 6000);
			else if (fault !== 'silent') greet();
		},
		onAuth: ({ username, password }, _, done) =>
			username === login?.user && password === login?.pass
				? done(null, { user: username })
				: done(reply(refusalOf(username!) ?? 535, 'Who is ana@clinicasol.example?')),
		onMailFrom: ({ address }, _, done) => done(reply(refusalOf(address), 'Who are you?')),
		onRcptTo: ({ address }, _, done) => done(reply(refusalOf(address), `No mail for ${address}`)),
		onData: async (stream, session, done) => {
			const chunks = await stream.toArray().catch(() => undefined);
			// The sender was killed halfway.
			if (chunks === undefined) return;
			const raw = Buffer.concat(chunks);
			if (fault === 'drop') {
				for (const { _socket } of server.connections as Set<{ _socket: { destroy(): void } }>) _socket.destroy();
				return;
			}
			const { mailFrom, rcptTo } = session.envelope;
			const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
			const mail = { ...envelope, secure: session.secure, raw: raw.toString(), parsed: await PostalMime.parse(raw) };
			const verdict = await judge?.(mail, offered.push(mail) - 1);
			if (typeof verdict === 'number' && verdict !== 250) return done(reply(verdict, 'Not this one'));
			mails.push(mail);
			done();
		},
	});
	// Some tests expect a client to refuse the certificate, or to hang up.
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.server.address() as AddressInfo;
	const url = `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`;
	return {
		url,
		/** The settings that make this server the channel to the sales team. */
		settings: { SMTP_URL: url, LEAD_EMAIL_TO: 'sales@website.test', LEAD_EMAIL_FROM: 'website@website.test' },
		mails,
		received: (count: number) => expect.poll(() => mails.length).toBeGreaterThanOrEqual(count),
		offered,
		[Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

function reply(refusal: Refusal | undefined, message: string): Error | null {
	if (refusal === undefined) return null;
	const [code, status = ''] = String(refusal).split(' ');
	return Object.assign(new Error(`${status} ${message}`.trim()), { responseCode: Number(code) });
}
