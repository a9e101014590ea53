import { expect, test } from 'vitest';
import { bodyFor } from '../../../support/chat-service.ts';
import { messageWith } from '../../../support/lead.ts';
import { googleChat } from './google-chat.ts';

test('Google Chat gets a card with a title and a row for each value', () => {
	const message = messageWith({ name: 'Ana <users/all> & Co', message: '' });
	const { cardsV2 } = JSON.parse(bodyFor(googleChat, message)) as {
		cardsV2: [{ cardId: string; card: { sections: [{ widgets: unknown[] }] } }];
	};
	expect(cardsV2[0].cardId).toBe(message.id);
	expect(cardsV2[0].card.sections[0].widgets.slice(0, 2)).toEqual([
		{ textParagraph: { text: expect.stringMatching(/^<b>.* lead: Ana &lt;users\/all&gt; &amp; Co, Clínica Sol, Spain<\/b>$/) } },
		{ decoratedText: { topLabel: 'Name', text: 'Ana &lt;users/all&gt; &amp; Co', wrapText: true } },
	]);
});
