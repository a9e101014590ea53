import * as z from 'zod';
import { defaultLanguage } from '../facts/load.ts';
import { messageOf, type ReceivedLead } from './message.ts';
import { mailOf } from './mail.ts';
import { post } from './webhook.ts';

/** In milliseconds: no lead waits longer for the engine. */
const PATIENCE = 2000;

/** The rules that read what somebody wrote. Those about servers, signatures and senders would judge our own mail. */
const contentRules = {
	groups_enabled: ['content', 'subject', 'html', 'url', 'phishing', 'body', 'scams', 'statistics', 'neural', 'fuzzy'],
};

export type SpamEngine = ReturnType<typeof rspamd>;

/**
 * Returns a function that asks Rspamd, which the operator runs (https://docs.rspamd.com/developers/protocol), what it would do with a
 * lead if the visitor had sent it as a mail. It rejects if there is no answer in time. @param to the recipients of leads
 */
export const rspamd =
	(url: URL, to: string[]) =>
	async (received: ReceivedLead): Promise<string> => {
		const { createTransport } = await import('nodemailer');
		const { name, email } = received.lead;
		// The mail that the sales team would get, with the visitor as its sender.
		const parties = { from: { name, address: email }, to };
		const mail = mailOf(messageOf(received, { language: defaultLanguage, timeZone: 'UTC' }), parties);
		const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
		const headers = { 'content-type': 'message/rfc822', from: email, rcpt: to[0]!, settings: JSON.stringify(contentRules) };
		const request = { url: new URL('checkv2', url), headers, body: (message as Buffer).toString() };
		const answer = await post(request, AbortSignal.timeout(PATIENCE));
		return z.object({ action: z.string() }).parse(JSON.parse(answer.body)).action;
	};
