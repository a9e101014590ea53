import * as z from 'zod';
import type { Message } from '../../message/message.ts';
import type { SendResult } from '../channel.ts';
import { fitBody } from '../chat-message.ts';
import { jsonPost, judgeWith, readAnswer, unproven, type WebhookAnswer, type WebhookFormat } from '../webhook-format.ts';

/**
 * Telegram: `sendMessage` of the Bot API (https://core.telegram.org/bots/api#sendmessage). The URL holds the chat as `?chat_id=`,
 * and one of its topics as `&message_thread_id=`.
 *
 * Without a parse mode a text has no markup, but Telegram still looks for mentions, commands, hashtags and links. It does not
 * look inside code, so values are code. A plain mail address and a full phone number stay plain, and become links.
 */
export const telegram = {
	name: 'telegram',
	recognises: ({ hostname }) => hostname === 'api.telegram.org',
	faultOf: ({ pathname, searchParams }) =>
		/^\/bot[^/]+\/sendMessage$/i.test(pathname) && searchParams.get('chat_id')
			? undefined
			: 'must be the method sendMessage of a bot with the chat in the query, for example ' +
				'https://api.telegram.org/bot123456:ABC/sendMessage?chat_id=-1001234567890',
	request: (message, { url, fullText }) => {
		const method = new URL(url.pathname, url.origin);
		return jsonPost(method, { ...chatOf(url), ...fitBody(message, fullText, bodyOf, fits) });
	},
	judge,
} as const satisfies WebhookFormat;

function chatOf({ searchParams }: URL) {
	const thread = searchParams.get('message_thread_id');
	return { chat_id: searchParams.get('chat_id'), ...(thread ? { message_thread_id: Number(thread) } : {}) };
}

const fits = ({ text }: ReturnType<typeof bodyOf>) => text.length <= 4096;

interface Entity {
	type: 'bold' | 'code';
	/** In UTF-16 code units, as `length`. */
	offset: number;
	length: number;
}

function bodyOf({ subject, rows }: Message) {
	const entities: Entity[] = [];
	let text = '';
	const write = (part: string, type?: Entity['type']) => {
		if (type) entities.push({ type, offset: text.length, length: part.length });
		text += part;
	};
	write(subject, 'code');
	write('\n');
	for (const { name, label, value } of rows) {
		write('\n');
		write(`${label}:`, 'bold');
		write(value.includes('\n') ? '\n' : ' ');
		write(value, linkable[name]?.test(value) ? undefined : 'code');
	}
	return { text, entities, link_preview_options: { is_disabled: true } };
}

/** Values that Telegram can only read as an address or a number. */
const linkable: Record<string, RegExp> = {
	email: /^[A-Za-z0-9](?:[\w.+-]*[A-Za-z0-9])?@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}$/,
	phone: /^\+\d[\d ().-]{5,}$/,
};

const answered = z.object({
	ok: z.boolean(),
	error_code: z.number().optional(),
	description: z.string().optional(),
	parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

/** The part of Telegram's description that may be in a reason. The rest may repeat parts of the lead. */
const knownReasons =
	/chat not found|bot was kicked|bot was blocked|not a member|not enough rights|upgraded to a supergroup|message is too long|thread not found|Unauthorized|Too Many Requests/;

function judge(answer: WebhookAnswer): SendResult {
	const telegram = readAnswer(answered, answer.body);
	const [word] = knownReasons.exec(telegram?.description ?? '') ?? [];
	const status = telegram?.ok === false ? (telegram.error_code ?? answer.status) : answer.status;
	const retryAfter = telegram?.parameters?.retry_after ?? answer.retryAfter;
	const result = judgeWith(word, { ...answer, status, retryAfter });
	return result.ok && telegram?.ok !== true ? unproven(answer.status, 'ok') : result;
}
