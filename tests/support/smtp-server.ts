import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from './certificate.ts';

export interface SmtpServerOptions {
	/** By recipient: the reply code that RCPT TO gets, or those of the first times, of which each is taken out when it is given. */
	refuse?: Record<string, number | number[]>;
	/** By sender, of which `''` is the null sender: the reply code that MAIL FROM gets. */
	refuseSender?: Record<string, number>;
	/** The reply code after DATA, instead of 250. */
	answer?: number;
	/** Demands a login. */
	login?: { user: string; pass: string };
	/** The reply code to a wrong login; 535 unless said otherwise. */
	refuseLogin?: number;
	/** Offers STARTTLS, or with `secure` speaks TLS from the start. */
	certificate?: Certificate;
	secure?: boolean;
	/** `silent` never greets; `closed` greets with 554; `drop` hangs up after DATA. */
	fault?: 'silent' | 'closed' | 'drop';
	/** What becomes of each mail, after DATA: its reply code (250 where there is none), or `hang-up` once it is taken. */
	judge?: (mail: ReceivedMail, mailsBefore: number) => Verdict | Promise<Verdict>;
	/** A free one unless said otherwise. */
	port?: number;
}

type Verdict = number | 'hang-up' | undefined | void;

export interface ReceivedMail {
	/** Of the envelope. */
	from: string;
	/** Of the envelope. */
	to: string[];
	/** Whether it came over TLS. */
	secure: boolean;
	raw: string;
	parsed: Email;
}

/** A real mail server on a free port: `url` to send to, `mails` that it took, `offered` with those it did not. */
export async function startSmtpServer({
	refuse = {},
	refuseSender = {},
	answer,
	login,
	refuseLogin = 535,
	certificate,
	secure = false,
	fault,
	judge,
	port: wantedPort = 0,
}: SmtpServerOptions = {}) {
	const mails: ReceivedMail[] = [];
	const arrivals = new EventEmitter();
	const offered: ReceivedMail[] = [];
	const hangUp = () => {
		for (const { _socket } of server.connections as Set<{ _socket: { destroy(): void } }>) _socket.destroy();
	};
	const server = new SMTPServer({
		...certificate,
		secure,
		disabledCommands: [...(login ? [] : ['AUTH']), ...(certificate ? [] : ['STARTTLS'])],
		allowInsecureAuth: true,
		authOptional: !login,
		disableReverseLookup: true,
		closeTimeout: 1,
		onConnect: (_, done) => (fault === 'silent' ? undefined : done(reply(fault === 'closed' ? 554 : undefined, 'No mail here'))),
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
			if (fault === 'drop') return hangUp();
			if (answer) return done(reply(answer, 'Not this one'));
			const { mailFrom, rcptTo } = session.envelope;
			const mail = {
				from: mailFrom ? mailFrom.address : '',
				to: rcptTo.map(({ address }) => address),
				secure: session.secure,
				raw: raw.toString(),
				parsed: await PostalMime.parse(raw),
			};
			const verdict = await judge?.(mail, offered.push(mail) - 1);
			if (typeof verdict === 'number' && verdict !== 250) return done(reply(verdict, 'Not this one'));
			mails.push(mail);
			arrivals.emit('mail');
			if (verdict === 'hang-up') return hangUp();
			done();
		},
	});
	// A client that refuses the certificate, or hangs up, is what some tests are about.
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
	const { port } = server.server.address() as AddressInfo;
	const url = `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`;
	return {
		port,
		url,
		/** The settings that make it the way to the sales team. */
		settings: { SMTP_URL: url, LEAD_EMAIL_TO: 'sales@website.test', LEAD_EMAIL_FROM: 'website@website.test' },
		mails,
		/** Waits until so many mails have come. */
		async received(count: number): Promise<void> {
			while (mails.length < count) await once(arrivals, 'mail');
		},
		offered,
		[Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

/** The error that makes smtp-server answer with a code. */
function reply(responseCode: number | undefined, message: string): Error | null {
	return responseCode === undefined ? null : Object.assign(new Error(message), { responseCode });
}
