import { expect, test } from 'vitest';
import { fitted } from '../../../src/lead/channels/chat-message.ts';
import { messageOf } from '../../../src/lead/delivery/message.ts';
import { receivedLead } from '../../support/lead.ts';

test('Of several values that are too long together, as many are cut as need be', () => {
	const { lead, ...received } = receivedLead({ message: 'a'.repeat(5000) });
	const message = messageOf({ ...received, lead: Object.assign(lead, { notes: 'b'.repeat(3000) }) });
	const text = fitted(
		message,
		'mail',
		({ text }) => text,
		(text) => text.length <= 1000,
	);
	expect(text.length).toBe(1000);
	expect(text).toMatch(/Message: … \(shortened; see the mail of this lead\)\n[^]*notes: b+… \(shortened/);
});
