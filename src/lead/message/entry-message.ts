import type { KeyStore } from '../store/key-store.ts';
import type { LeadStore, NewEntry } from '../store/store.ts';
import { type QuarantineNotice, quarantineMessage, SHOWN } from './quarantine-notice.ts';
import { type Confirmation, confirmationMessage } from './confirmation.ts';
import { messageOf, type Message, type ReceivedLead } from './message.ts';
import { type Notice, noticeMessage } from './notice.ts';

/** A notice: about a channel in trouble, or about the quarantine. */
type AnyNotice = Notice | QuarantineNotice;

/**
 * Returns the message of a stored entry. The payload was checked before it was saved, so it is not checked again.
 *
 * @param language the sales team's, as is `timeZone`
 */
export async function entryMessage(
	{ kind, payload, spam }: Pick<NewEntry, 'kind' | 'payload' | 'spam'>,
	store: Pick<LeadStore, 'announcedBy' | 'keys'>,
	language: string,
	timeZone?: string,
): Promise<Message> {
	const content: unknown = JSON.parse(payload);
	if (kind === 'confirmation') return confirmationMessage(content as Confirmation);
	if (kind === 'lead') {
		const received = content as ReceivedLead;
		return messageOf(received, { language, timeZone, spam, owner: await ownerName(received, store.keys) });
	}
	const notice = content as AnyNotice;
	if ('channel' in notice) return noticeMessage(notice, timeZone);
	const entries = await store.announcedBy(notice.id, SHOWN);
	const held = entries.map((entry) => Object.assign(JSON.parse(entry.payload) as ReceivedLead, { spam: entry.spam }));
	return quarantineMessage(notice, held, language);
}

/** Returns the name of the owner of the lead's API key, or undefined if there was no key or it is gone. */
export async function ownerName({ apiKey }: Pick<ReceivedLead, 'apiKey'>, keys: KeyStore): Promise<string | undefined> {
	return apiKey === undefined ? undefined : (await keys.find(apiKey))?.owner.name;
}
