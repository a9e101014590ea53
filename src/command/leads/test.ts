import { failure, type Report } from '../command.ts';
import { table } from '../printing.ts';
import { type Channel, sendWithin, TRY_TIMEOUT } from '../../lead/channels/channel.ts';
import { testLead } from '../../lead/test-lead.ts';
import { type Message, messageOf, receivedNow } from '../../lead/message/message.ts';
import type { CommandContext } from './context.ts';

/** `test`: tries each channel once, past the store. */
export async function sendTest({ channels, language }: CommandContext): Promise<Report> {
	if (channels.length === 0) return failure('No channel is configured: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.');
	const message = messageOf(receivedNow(testLead('operator test')), { language });
	const results = await Promise.all(channels.map((channel) => resultOf(channel, message)));
	const rows = results.map(({ channel, ok, reason }) => [channel, ok ? 'ok' : 'failed', reason ?? '']);
	return {
		done: results.every(({ ok }) => ok),
		data: { id: message.id, results },
		text: table(['Channel', 'Result', 'Reason'], rows),
	};
}

async function resultOf(channel: Channel, message: Message): Promise<{ channel: string; ok: boolean; reason?: string }> {
	const delivery = await sendWithin(TRY_TIMEOUT, channel, message);
	const { name } = channel;
	return delivery.ok ? { channel: name, ok: true } : { channel: name, ok: false, reason: delivery.reason };
}
