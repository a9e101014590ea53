import type { KeyStore } from '../store/key-store.ts';
import type { LeadStore, NewEntry } from '../store/store.ts';
import { type Confirmation, confirmationMessage } from './confirmation.ts';
import { messageOf, type Message, type ReceivedLead, type Team } from './message.ts';
import { type Notice, noticeMessage } from './notice.ts';

/** The most possible leads that a notice shows. The list has the others. */
const SHOWN = 20;

/** Returns the message of a stored entry. The payload was checked before it was saved, so it is not checked again. */
export async function entryMessage(
	{ kind, payload, spam }: Pick<NewEntry, 'kind' | 'payload' | 'spam'>,
	store: Pick<LeadStore, 'announcedBy' | 'keys'>,
	team: Team,
): Promise<Message> {
	const content: unknown = JSON.parse(payload);
	if (kind === 'confirmation') return confirmationMessage(content as Confirmation);
	if (kind === 'lead') {
		const received = content as ReceivedLead;
		return messageOf(received, team, { spam, owner: await ownerName(received, store.keys) });
	}
	const notice = content as Notice;
	const entries = 'channel' in notice ? [] : await store.announcedBy(notice.id, SHOWN);
	const held = entries.map((entry) => Object.assign(JSON.parse(entry.payload) as ReceivedLead, { spam: entry.spam }));
	return noticeMessage(notice, team, held);
}

/** Returns the name of the owner of the lead's API key, or undefined if there was no key or it is gone. */
export async function ownerName({ apiKey }: Pick<ReceivedLead, 'apiKey'>, keys: KeyStore): Promise<string | undefined> {
	return apiKey === undefined ? undefined : (await keys.find(apiKey))?.owner.name;
}
