import { type Bounce, readBounces } from '../channels/bounces.ts';
import { channelsFor, namesOf } from '../channels/channel.ts';
import { contentOf } from '../channels/entry.ts';
import { mailboxFault } from '../channels/imap.ts';
import { idPartOf } from '../channels/message.ts';
import type { StoredEntry } from '../store/store.ts';
import type { AttemptOptions } from './attempt.ts';
import { tellOfReturn, tellOfTrouble } from './upkeep.ts';

/** How often the mailbox is read. */
const PAUSE_MS = 5 * 60_000;

/**
 * Returns what looks for mails that came back, in one process of those that share the store, and tells of them. It never rejects.
 *
 * @param url the mailbox of their sender @param saved says that a notice is due @returns in how many milliseconds to look again
 */
export function bounceWatch(url: URL, { store, channels, log }: AttemptOptions, saved: () => void) {
	const noticeChannels = namesOf(channelsFor(channels));

	return async (): Promise<number> => {
		try {
			if (await store.takeTurn('bounces')) await readBounces(url, take);
		} catch (error) {
			log.warn(
				`The mailbox at LEAD_BOUNCES_URL cannot be read: ${mailboxFault(error as Error)}. It is tried again within five minutes.`,
			);
		}
		return PAUSE_MS;
	};

	async function take(bounce: Bounce): Promise<'too soon' | void> {
		const [entry] = await store.find(bounce.id);
		const about = { id: bounce.id, status: bounce.status };
		if (!entry) return log.info(about, 'A mail came back of what is no longer in the store, or never was.');
		if (entry.kind === 'confirmation') return takeConfirmation(entry, bounce);
		const channel = channelOf(entry, bounce);
		if (channel === undefined) {
			// Its result may not be stored yet.
			if (entry.deliveries.some(({ state }) => state === 'waiting')) return 'too soon';
			return log.info(about, 'A mail came back that counts as returned already, or goes to none of our recipients.');
		}
		const reason = `the mail came back: ${bounce.status}`;
		if (!(await store.markReturned(entry.id, channel, reason))) return undefined;
		log.error({ [entry.kind]: entry.id, channel, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
		if (await tellOfTrouble({ channel, reason, parked: true }, store, noticeChannels, log)) saved();
	}

	/** Returns the channel over which a mail went: the one to this recipient, or else the only one, where an alias stands for others. */
	function channelOf({ payload, deliveries }: StoredEntry, { recipients }: Bounce): string | undefined {
		const { lead } = contentOf({ payload });
		const sent = new Set(deliveries.filter(({ state }) => state === 'sent').map(({ channel }) => channel));
		const mailed = channels.filter(({ name, recipients: to }) => to && sent.has(name));
		const exact = mailed.find(({ recipients: to }) => to!(lead).some((address) => recipients.includes(address.toLowerCase())));
		return (exact ?? (mailed.length === 1 ? mailed[0] : undefined))?.name;
	}

	/** Tells that a visitor's address is wrong: they wait for an answer by mail. */
	async function takeConfirmation({ payload }: StoredEntry, { status }: Bounce): Promise<void> {
		const { reference } = contentOf({ payload });
		const [lead] = reference ? await store.find(idPartOf(reference)) : [];
		if (lead && (await tellOfReturn({ returned: lead.id, status }, store, noticeChannels))) saved();
	}
}
