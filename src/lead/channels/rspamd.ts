import * as z from 'zod';
import { messageOf, type ReceivedLead } from '../message/message.ts';
import type { Context } from '../spam/signal.ts';
import { mailOf } from './mail.ts';
import { post } from './webhook.ts';
import { readAnswer, type WebhookAnswer } from './webhook-format.ts';

/** A program that judges mail, which the operator runs. */
export interface SpamEngine {
	/** Asks about a lead as if the visitor had sent it as a mail. Never throws; undefined if there is no answer in time. */
	ask(received: ReceivedLead): Promise<Context['engine']>;
	/** Teaches it. Never throws. @returns undefined if it has learnt, else why not */
	learn(received: ReceivedLead, verdict: 'spam' | 'ham'): Promise<string | undefined>;
}

/** In milliseconds: no lead waits longer for the engine. */
const PATIENCE = 2000;

/** The rules that read what somebody wrote. Those about servers, signatures and senders would judge our own mail. */
const contentRules = {
	groups_enabled: ['content', 'subject', 'html', 'url', 'phishing', 'body', 'scams', 'statistics', 'neural', 'fuzzy'],
};

const checked = z.object({ action: z.string() });
const learnt = z.object({ success: z.literal(true) });
const refused = z.object({ error: z.string() });

/**
 * Rspamd (https://docs.rspamd.com/developers/protocol).
 *
 * @param url of a worker that checks mail or, to teach it too, of the controller
 * @param to the recipients of leads
 */
export function rspamd(url: URL, password: string | undefined, to: string[]): SpamEngine {
	return {
		async ask(received) {
			const answer = await send('checkv2', received).catch(() => undefined);
			const action = answer && readAnswer(checked, answer.body)?.action;
			if (action === undefined) return undefined;
			if (action === 'reject') return 'reject';
			return action === 'add header' || action === 'rewrite subject' ? 'add header' : 'no action';
		},
		async learn(received, verdict) {
			try {
				const { status, body } = await send(`learn${verdict}`, received);
				// 208: it has learnt this mail before.
				if (status === 208 || readAnswer(learnt, body)) return undefined;
				return readAnswer(refused, body)?.error ?? `HTTP ${status}`;
			} catch (error) {
				return (error as Error).name === 'TimeoutError' ? 'no answer in time' : 'no connection';
			}
		},
	};

	/** @throws {Error} there was no answer in time */
	async function send(command: string, received: ReceivedLead): Promise<WebhookAnswer> {
		const headers = {
			'content-type': 'message/rfc822',
			from: received.lead.email,
			rcpt: to[0]!,
			settings: JSON.stringify(contentRules),
			...(password === undefined ? {} : { password }),
		};
		const request = { url: new URL(command, url), headers, body: await mailFrom(received, to) };
		return post(request, AbortSignal.timeout(PATIENCE));
	}
}

/** Returns the mail that the sales team would get, with the visitor as its sender. */
async function mailFrom(received: ReceivedLead, to: string[]): Promise<string> {
	const { createTransport } = await import('nodemailer');
	const { name, email } = received.lead;
	const mail = mailOf(messageOf(received), { from: { name, address: email }, to });
	const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
	return (message as Buffer).toString();
}
