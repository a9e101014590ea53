import * as z from 'zod';
import { defaultLanguage } from '../facts/load.ts';
import { abortAfter } from './channel.ts';
import { messageOf, type ReceivedLead } from './message.ts';
import { mailOf } from './mail.ts';
import { post } from './webhook.ts';

/** A lead waits no longer for the engine. Without its answer, the other signals judge the lead. */
const PATIENCE_MS = 2000;

/** The groups of rules about the words of a mail. Rules about servers, signatures and senders would judge us, because we send it. */
const contentRules = ['content', 'subject', 'html', 'url', 'phishing', 'body', 'scams', 'statistics', 'neural', 'fuzzy'];

/** A judge of leads that the operator runs or pays. */
export interface SpamEngine {
	/** Its host, for the log. */
	name: string;
	isModel: boolean;
	/** Says in a word of its own what it takes a lead for. Rejects if there is no answer in time, or when `signal` aborts. */
	ask(received: ReceivedLead, signal: AbortSignal): Promise<string>;
}

/**
 * Returns a function that asks Rspamd, which the operator runs (https://docs.rspamd.com/developers/protocol), what it would do with a
 * lead if the visitor had sent it as a mail. @param to the recipients of leads
 */
export const rspamd =
	(url: URL, to: string[]): SpamEngine['ask'] =>
	async (received, signal) => {
		const { createTransport } = await import('nodemailer');
		const { name, email } = received.lead;
		// The mail that the sales team would get, with the visitor as its sender.
		const parties = { from: { name, address: email }, to };
		const mail = mailOf(messageOf(received, { language: defaultLanguage, timeZone: 'UTC' }), parties);
		const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
		const settings = JSON.stringify({ groups_enabled: contentRules });
		const headers = { 'content-type': 'message/rfc822', from: email, rcpt: to[0]!, settings };
		const request = { url: new URL('checkv2', url), headers, body: (message as Buffer).toString() };
		using patience = abortAfter(PATIENCE_MS, signal);
		const answer = await post(request, patience.signal);
		return z.object({ action: z.string() }).parse(JSON.parse(answer.body)).action;
	};
