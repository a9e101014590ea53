import { startWebhookReceiver, type WebhookReply } from './webhook-receiver.ts';

/** A question as OpenAI's API for chats has it. */
interface Question extends Record<'temperature' | 'max_tokens', number> {
	model: string;
	messages: Record<'role' | 'content', string>[];
}

type Data = Record<'language' | 'message', string> & { clinic?: string };

export const written = (content: string | null): WebhookReply => ({
	body: JSON.stringify({ choices: [{ message: { role: 'assistant', content } }], usage: { total_tokens: 300 } }),
});

/** Starts a server that answers as a language model does. `setting` is the value of LEAD_SPAM_URL, with the key `KEY`. */
export async function startLanguageModel(answer: (data: Data, before: number) => WebhookReply | string | null) {
	const server = await startWebhookReceiver(({ body }, before) => {
		const said = answer(dataOf(body), before);
		return typeof said === 'object' && said !== null ? said : written(said);
	});
	return {
		...server,
		setting: `openai+${new URL(server.url).origin}/v1?model=some/model:4b`.replace('//', '//:s%2Fecret-KEY@'),
		data: () => server.requests.map(({ body }) => dataOf(body)),
		questions: () => server.requests.map(({ body }) => JSON.parse(body) as Question),
	};
}

const dataOf = (body: string) => JSON.parse((JSON.parse(body) as Question).messages.at(-1)!.content) as Data;
