import { expect, test } from 'vitest';
import { bodyFor } from '../../../support/chat-service.ts';
import { messageWith } from '../../../support/lead.ts';
import { targetAt } from '../../../support/target.ts';
import { telegram } from './telegram.ts';

interface Sent {
	chat_id: string;
	text: string;
	entities: { type: string; offset: number; length: number }[];
	link_preview_options: unknown;
}

const sentFor = (...[fields]: Parameters<typeof messageWith>) => JSON.parse(bodyFor(telegram, messageWith(fields))) as Sent;

const marked = ({ text, entities }: Sent, wanted: string) =>
	entities.filter(({ type }) => type === wanted).map(({ offset, length }) => text.slice(offset, offset + length));

test('Telegram gets labels in bold, values as code, and what is surely an address or a number to be found as such', () => {
	const sent = sentFor({ name: '🦷 Ana', message: '' });
	expect(marked(sent, 'bold').slice(0, 4)).toEqual(['Name:', 'Clinic:', 'Email:', 'Phone:']);
	expect(marked(sent, 'code').slice(1, 4)).toEqual(['🦷 Ana', 'Clínica Sol', 'Spain']);
	expect(sent.entities[0]).toEqual({ type: 'code', offset: 0, length: sent.text.indexOf('\n') });
	expect(sent.link_preview_options).toEqual({ is_disabled: true });
});

test('Telegram gets who asks, and below it a line for each row, or more where the value has more', () => {
	const { text } = sentFor({ message: 'one\ntwo' });
	expect(text).toMatch(/ lead: Ana Ruiz, Clínica Sol, Spain\n\nMessage:\none\ntwo\nName: Ana Ruiz\nClinic: Clínica Sol\n/);
});

test.each([{ email: '/start@clinic.example' }, { phone: '@channel' }, { phone: '+34 600 /start' }, { phone: '+34567' }])(
	'Telegram finds nothing in %j',
	(fields) => {
		expect(marked(sentFor(fields), 'code')).toContain(Object.values(fields)[0]);
	},
);

test('Telegram gets chat and topic from the URL, and nothing else of its query', () => {
	const target = targetAt('https://api.telegram.org/bot1:secret/sendMessage?chat_id=@sales&message_thread_id=7&parse_mode=HTML');
	const request = telegram.format.request(messageWith(), target);
	expect(request.url.href).toBe('https://api.telegram.org/bot1:secret/sendMessage');
	const sent = JSON.parse(request.body) as Record<string, unknown>;
	expect(sent).toMatchObject({ chat_id: '@sales', message_thread_id: 7 });
	expect(sent).not.toHaveProperty('parse_mode');
});
