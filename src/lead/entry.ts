import { type Confirmation, confirmationMessage } from './confirmation.ts';
import { messageOf, type Message, type ReceivedLead } from './message.ts';
import { type Notice, noticeMessage } from './notice.ts';
import type { NewEntry } from './store/store.ts';

/** What to send of a stored entry. Its payload was ours when it was saved, so it is not checked again. */
export function entryMessage({ kind, payload }: Pick<NewEntry, 'kind' | 'payload'>): Message {
	const content: unknown = JSON.parse(payload);
	if (kind === 'confirmation') return confirmationMessage(content as Confirmation);
	return kind === 'lead' ? messageOf(content as ReceivedLead) : noticeMessage(content as Notice);
}
