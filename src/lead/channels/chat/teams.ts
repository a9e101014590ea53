import * as z from 'zod';
import type { Message } from '../../message/message.ts';
import type { SendResult } from '../channel.ts';
import { fitBody } from '../chat-message.ts';
import {
	jsonPost,
	judgeStatus,
	judgeWith,
	readAnswer,
	unproven,
	type WebhookAnswer,
	type WebhookFormat,
} from '../webhook-format.ts';

/**
 * Microsoft Teams: a flow of Workflows that a webhook triggers, and that posts the Adaptive Card it receives
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook). Text stands in text
 * runs, which have no Markdown. A card's links open https only (MicrosoftDocs/msteams-docs#3677), so it has none.
 */
export const teams = {
	name: 'teams',
	recognises: (url) => isFlow(url) || isConnector(url),
	faultOf: (url) =>
		isConnector(url)
			? `names a Teams connector at ${url.hostname}, which Microsoft has retired. In Teams, open Workflows at the channel, ` +
				'choose the template that posts to a channel when a webhook request is received, and set the URL it gives'
			: undefined,
	request: (message, { url, fullText }) => jsonPost(url, fitBody(message, fullText, bodyOf, fits)),
	judge,
} as const satisfies WebhookFormat;

const isFlow = ({ hostname }: URL) => /\.(environment\.api\.powerplatform|logic\.azure)\.com$/.test(hostname);

/** Recognises a URL of the retired kind. Otherwise nobody would notice that it is dead until the first lead failed. */
const isConnector = ({ hostname }: URL) => /(^|\.)webhook\.office\.com$|^outlook\.office\.com$/.test(hostname);

/** In bytes. A flow takes about 28 KB, including its own additions; cards above 21 KB have been refused. */
const BODY_LENGTH = 20_000;
const fits = (body: ReturnType<typeof bodyOf>) => Buffer.byteLength(JSON.stringify(body)) <= BODY_LENGTH;

function bodyOf({ subject, rows }: Message) {
	const content = {
		$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
		type: 'AdaptiveCard',
		version: '1.4',
		body: [
			richText(subject, { size: 'Large', weight: 'Bolder' }),
			...rows.flatMap(({ label, value }) => [richText(label, { weight: 'Bolder' }), { ...richText(value), spacing: 'None' }]),
		],
	};
	return {
		type: 'message',
		attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
	};
}

const richText = (text: string, style: Record<string, string> = {}) => ({
	type: 'RichTextBlock',
	inlines: [{ type: 'TextRun', text: withoutFunctions(text), ...style }],
});

/** Cards replace `{{DATE(…)}}` with a date, even in plain text. An invisible word joiner between the braces prevents it. */
const withoutFunctions = (text: string) => text.replace(/\{(?=\{(DATE|TIME)\()/gi, '{\u2060');

const refusal = z.object({ error: z.object({ code: z.string().regex(/^[A-Za-z]{1,60}$/) }) });
/** A failure inside an answer of 200, as from flows that post through a connector. */
const hiddenError = /HTTP error (\d{3})/;

function judge(answer: WebhookAnswer): SendResult {
	const word = readAnswer(refusal, answer.body)?.error.code;
	const result = judgeWith(word, answer);
	if (!result.ok) return result;
	const [, status] = hiddenError.exec(answer.body) ?? [];
	if (status) return judgeStatus({ ...answer, status: Number(status) });
	return word || /\b(error|failed)\b/i.test(answer.body) ? unproven(answer.status, 'success') : result;
}
