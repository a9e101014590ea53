import type { Logger } from 'pino';
import * as z from 'zod';
import { defaultLanguage } from '../facts/load.ts';
import { messageOf, type ReceivedLead } from './message.ts';
import type { Context } from '../lead/judgement.ts';
import { mailOf } from './mail.ts';
import { post } from './webhook.ts';
import { readAnswer } from './webhook-format.ts';

/** Asks a program that judges mail, and that the operator runs, about a lead as if the visitor had sent it as a mail. Never throws; undefined if there is no answer in time. */
export type SpamEngine = (received: ReceivedLead) => Promise<Context['engine']>;

/** In milliseconds: no lead waits longer for the engine. */
const PATIENCE = 2000;

/** After so many failures in a row, the engine is not asked for so many milliseconds. */
const FAILURES = 3;
const PAUSE = 60_000;

/** The rules that read what somebody wrote. Those about servers, signatures and senders would judge our own mail. */
const contentRules = {
	groups_enabled: ['content', 'subject', 'html', 'url', 'phishing', 'body', 'scams', 'statistics', 'neural', 'fuzzy'],
};

/** Rspamd (https://docs.rspamd.com/developers/protocol). @param to the recipients of leads */
export function rspamd(url: URL, to: string[], log: Logger): SpamEngine {
	let failures = 0;
	let pausedUntil = 0;
	return async (received) => {
		if (performance.now() < pausedUntil) return undefined;
		const action = await ask(url, received, to).catch(() => undefined);
		if (action === undefined) return fail(received.id);
		failures = 0;
		if (action === 'reject') return 'reject';
		return action === 'add header' || action === 'rewrite subject' ? 'add header' : 'no action';
	};

	function fail(lead: string): undefined {
		failures += 1;
		log.warn({ lead }, 'The spam engine gave no answer in time: the lead is judged without it.');
		// Several leads may have been with it when the pause began.
		if (failures < FAILURES || performance.now() < pausedUntil) return;
		pausedUntil = performance.now() + PAUSE;
		log.warn({ failures }, 'The spam engine is not asked for a minute. See to it that it runs at LEAD_SPAM_URL.');
	}
}

/** Sends the mail that the sales team would get, with the visitor as its sender. @throws {Error} there was no answer in time */
async function ask(url: URL, received: ReceivedLead, to: string[]): Promise<string | undefined> {
	const { createTransport } = await import('nodemailer');
	const { name, email } = received.lead;
	const mail = mailOf(messageOf(received, { language: defaultLanguage, timeZone: 'UTC' }), {
		from: { name, address: email },
		to,
	});
	const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
	const settings = JSON.stringify(contentRules);
	const headers = { 'content-type': 'message/rfc822', from: email, rcpt: to[0]!, settings };
	const request = { url: new URL('checkv2', url), headers, body: (message as Buffer).toString() };
	const answer = await post(request, AbortSignal.timeout(PATIENCE));
	return readAnswer(z.object({ action: z.string() }), answer.body)?.action;
}
