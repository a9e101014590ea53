import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificate.ts';

export interface SmtpServerOptions {
	/** By recipient: the reply to RCPT TO, or a list of replies for the first times, each used once. */
	refuse?: Record<string, Refusal | Refusal[]>;
	/** By sender (`''` is the null sender): the reply code to MAIL FROM. */
	refuseSender?: Record<string, number>;
	/** Requires a login: over TLS, where there is a certificate. */
	login?: { user: string; pass: string };
	/** The reply code to a wrong login, by default 535. */
	refuseLogin?: number;
	/** Offers STARTTLS, or with `secure` uses TLS from the start. */
	certificate?: Certificate;
	secure?: boolean;
	/**
	 * `silent` never greets; `late` greets after six seconds, as Postfix's postscreen; `closed` greets with 554; `drop` hangs up after DATA;
	 * `unready` offers STARTTLS, and refuses it.
	 */
	fault?: 'silent' | 'late' | 'closed' | 'drop' | 'unready';
	/** Judges each mail, after DATA: its reply code, by default 250. */
	judge?: (mail: ReceivedMail, mailsBefore: number) => Verdict | Promise<Verdict>;
}

/** A code, alone or with an enhanced status: `550 5.1.1`. */
type Refusal = number | string;

type Verdict = number | undefined | void;

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
	const { refuse = {}, refuseSender = {}, login, refuseLogin = 535, certificate, secure = false, fault, judge } = options;
	const mails: ReceivedMail[] = [];
	const arrivals = new EventEmitter();
	const offered: ReceivedMail[] = [];
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
				: done(reply(refuseLogin, 'Who is ana@clinicasol.example?')),
		onMailFrom: ({ address }, _, done) => done(reply(refuseSender[address], 'Who are you?')),
		onRcptTo: ({ address }, _, done) => {
			const codes = refuse[address.toLowerCase()];
			done(reply(typeof codes === 'object' ? codes.shift() : codes, `No mail for ${address}`));
		},
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
			arrivals.emit('mail');
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
		async received(count: number): Promise<void> {
			while (mails.length < count) await once(arrivals, 'mail');
		},
		offered,
		[Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

/** Returns the error that makes smtp-server answer with a code. */
function reply(refusal: Refusal | undefined, message: string): Error | null {
	if (refusal === undefined) return null;
	const [code, status = ''] = String(refusal).split(' ');
	return Object.assign(new Error(`${status} ${message}`.trim()), { responseCode: Number(code) });
}
