import { expect, test } from 'vitest';
import { bodyFor } from '../../../support/chat-service.ts';
import { messageWith } from '../../../support/lead.ts';
import { mattermost } from './mattermost.ts';

const textFor = (...[fields]: Parameters<typeof messageWith>) =>
	(JSON.parse(bodyFor(mattermost, messageWith(fields))) as { text: string }).text;

test('Mattermost gets a title, a line a row, and several lines as a quotation', () => {
	const text = textFor({ message: 'one\n\ntwo' });
	expect(text).toMatch(
		/^#### .* lead: Ana Ruiz, Clínica Sol, Spain\n\*\*Message:\*\*\n> one\n> \n> two\n\n\*\*Name:\*\* Ana Ruiz\n/,
	);
	expect(text).toContain('**Email:** ana@clinicasol\\.example');
});

test.each([
	['\\`*{}[]()+-.!_>|', '\\\\\\`\\*\\{\\}\\[\\]\\(\\)\\+\\-\\.\\!\\_\\>\\|'],
	['.@all', '\\.@\u2060all'],
	['<!channel> & <https://evil.example|bank>', '&lt;\\!channel\\> &amp; &lt;https:\u2060//evil\\.example\\|bank\\>'],
	['&lt;', '&amp;lt;'],
	[':smile: at 09:30', ':\u2060smile: at 09:30'],
	['~town #tag ~~s~~', '\\~\u2060town #\u2060tag \\~\u2060\\~\u2060s\\~\u2060\\~\u2060'],
])('Mattermost gets %j as %j', (clinic, escaped) => {
	expect(textFor({ clinic })).toContain(`**Clinic:** ${escaped}\n`);
});

test.each([
	['a\n===', '> a\n> \u2060==='],
	['a\n\n    code', '> a\n> \n> \u00A0\u00A0\u00A0\u00A0code'],
])('Mattermost gets the lines %j as %j', (message, escaped) => {
	expect(textFor({ message })).toContain(`**Message:**\n${escaped}\n`);
});
