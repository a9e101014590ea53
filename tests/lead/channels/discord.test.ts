import { expect, test } from 'vitest';
import { bodyFor, discord } from '../../support/chat-services.ts';
import { messageWith } from '../../support/lead.ts';

const embedOf = async (...[fields]: Parameters<typeof messageWith>) => {
	const body = JSON.parse(await bodyFor(discord, messageWith(fields))) as { embeds: [{ description?: string; title: string }] };
	return body.embeds[0];
};

test('Discord is asked to say whether it took the message', async () => {
	const url = new URL('https://discord.com/api/webhooks/1/secret?thread_id=7');
	const request = discord.format.request(messageWith(), { url, secrets: [], fullText: 'mail', freeText: true });
	expect(request.url.href).toBe(`${url.href}&wait=true`);
});

test.each([
	['@everyone', '\\@everyone'],
	['[bank](https://evil.example)', '\\[bank\\]\\(https\\://evil.example\\)'],
	['||s|| __u__', '\\|\\|s\\|\\| \\_\\_u\\_\\_'],
	['- a\n1. b\n -# c', '\\- a\n1\\. b\n \\-\\# c'],
	['a-b 1.5', 'a-b 1.5'],
])('Discord gets %j as %j', async (message, escaped) => {
	expect((await embedOf({ message })).description).toBe(escaped);
});

test('Discord gets no empty description', async () => {
	expect(await embedOf({ message: '' })).not.toHaveProperty('description');
});
