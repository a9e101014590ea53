import { expect, test } from 'vitest';
import { bodyFor } from '../../../support/chat-service.ts';
import { leadWith, messageWith, receivedLead } from '../../../support/lead.ts';
import { targetAt } from '../../../support/target.ts';
import { discord } from './discord.ts';

const embedOf = (...[fields]: Parameters<typeof messageWith>) => {
	const body = JSON.parse(bodyFor(discord, messageWith(fields))) as { embeds: [{ description?: string; fields: unknown[] }] };
	return body.embeds[0];
};

test('Discord gets who asks as the title, the message below it, and every other value beside its label', () => {
	const embed = embedOf({ phone: '', country: '', source: '' });
	expect(embed).toEqual({
		title: expect.stringMatching(/ lead\\: Ana Ruiz, Clínica Sol$/),
		description: expect.stringContaining(leadWith().message!),
		fields: expect.arrayContaining([{ name: 'Name', value: 'Ana Ruiz', inline: true }]),
		timestamp: receivedLead().receivedAt,
	});
	expect(embed.fields).not.toContainEqual(expect.objectContaining({ name: 'Message' }));
});

test('Discord is asked to say whether it took the message', () => {
	const url = new URL('https://discord.com/api/webhooks/1/secret?thread_id=7');
	const request = discord.format.request(messageWith(), targetAt(url.href));
	expect(request.url.href).toBe(`${url.href}&wait=true`);
});

test.each([
	['x\\*_~`|<>[]()#@:', 'x\\\\\\*\\_\\~\\`\\|\\<\\>\\[\\]\\(\\)\\#\\@\\:'],
	['- a\n+ b\n1. c\n -# d', '\\- a\n\\+ b\n1\\. c\n \\-\\# d'],
	['10. a\n 2. b', '10\\. a\n 2\\. b'],
	['a-b 1.5', 'a-b 1.5'],
])('Discord gets %j as %j', (message, escaped) => {
	expect(embedOf({ message }).description).toBe(escaped);
});

test('Discord gets no empty description', () => {
	expect(embedOf({ message: '' })).not.toHaveProperty('description');
});
