import { text } from 'node:stream/consumers';
import { contentOf } from '../channels/message.ts';
import { mailboxFault, openMailbox } from '../channels/imap.ts';
import { kinds } from '../store/kinds.ts';
import { type StoredEntry, StoreError } from '../store/store.ts';
import type { AttemptOptions } from './attempt.ts';
import { type Tell, tellOfWrongAddress, tellOfTrouble } from './upkeep.ts';

/** A mail of ours that a server took and then returned (RFC 3464). */
export interface Bounce {
	/** The entry's, which nobody can guess. */
	id: string;
	/** The channel that the mail names, as each does where there are several recipients. Otherwise empty. */
	channel: string;
	/** Who did not get it, in lower case: as we wrote it, if the report says so, and as the last server knew it. */
	recipients: string[];
	/** The enhanced status (RFC 3463), such as `5.1.1`. */
	status: string;
}

const PAUSE_MS = 5 * 60_000;
/** Anybody may write to the mailbox. The most reports in one look, and the most blocks in each. In bytes: no report is so large, and so much of each part is read. */
const [MOST, LARGEST, LONGEST] = [100, 2 ** 18, 2 ** 16];

/**
 * Returns what looks for mails that came back, in one process of those that share the store, and tells of them. It never rejects.
 * @param url the mailbox of their sender @param tell saves a notice, or rejects @returns in how many milliseconds to look again
 */
export function bounceWatch(url: URL, { store, channels, log }: AttemptOptions, tell: (news: Tell) => Promise<void>) {
	const mailNames = new Set(channels.filter(({ recipients }) => recipients).map(({ name }) => name));

	return async (): Promise<number> => {
		try {
			if (await store.takeTurn('bounces')) await readBounces(url, take);
		} catch (error) {
			const what = error instanceof StoreError ? 'A mail that came back cannot be noted' : 'LEAD_BOUNCES_URL cannot be read';
			log.warn(`${what}: ${mailboxFault(error as Error)}. It is tried again within five minutes.`);
		}
		return PAUSE_MS;
	};

	async function take(bounce: Bounce): Promise<'too soon' | void> {
		const [entry] = await store.find(bounce.id);
		const about = { id: bounce.id, status: bounce.status };
		if (!entry) return log.warn(about, 'A mail came back of what is no longer in the store. Its report may hold it.');
		if (entry.kind === 'confirmation') return tell((board) => tellOfWrongAddress(board, entry, bounce.status));
		const channel = channelOf(entry, bounce);
		if (channel === undefined) {
			// Its result may not be stored yet.
			if (entry.deliveries.some(({ channel, state }) => mailNames.has(channel) && state === 'waiting')) return 'too soon';
			return log.info(about, 'A mail came back that counts as returned already, or goes to none of our recipients.');
		}
		const reason = `the mail came back: ${bounce.status}`;
		// First the notice: once the delivery is parked, the report counts as read. A later version knows its own kinds.
		if (kinds[entry.kind]?.isMissed)
			await tell((board) => tellOfTrouble(board, { channel, reason, parked: true }, `returned ${channel}`));
		if (await store.markReturned(entry.id, channel, reason))
			log.error({ [entry.kind]: entry.id, channel, reason }, 'Not delivered, and parked: retry it when the reason is gone.');
	}

	/** Returns the channel of a mail that counts as sent: the one that it names, or that has this recipient, or the only one for mail. An alias, or another mailbox, may stand for the recipient. */
	function channelOf({ payload, deliveries }: StoredEntry, { recipients, channel: named }: Bounce): string | undefined {
		const { lead } = contentOf({ payload });
		const states = new Map(deliveries.map(({ channel, state }) => [channel, state]));
		const mailed = channels.filter(({ name, recipients: to }) => to && states.has(name));
		const exact = mailed.find(({ recipients: to }) => to!(lead).some((address) => recipients.includes(address.toLowerCase())));
		const channel = mailed.find(({ name }) => name === named) ?? exact ?? (mailed.length === 1 ? mailed[0] : undefined);
		return channel && states.get(channel.name) === 'sent' ? channel.name : undefined;
	}
}

/**
 * Reads the reports in a mailbox that are not marked as seen. Marks each, unless `use` says that it comes too soon.
 * @throws as `openMailbox`
 */
export async function readBounces(url: URL, use: (bounce: Bounce) => Promise<'too soon' | void>): Promise<void> {
	await using mailbox = await openMailbox(url);
	await mailbox.use(async (client) => {
		const uid = { uid: true };
		const found = await client.search({ seen: false, smaller: LARGEST, header: { 'content-type': 'multipart/report' } }, uid);
		if (!found) throw new Error('it refuses to be searched');
		for (const report of found.slice(0, MOST)) {
			const { bodyStructure } = (await client.fetchOne(report, { bodyStructure: true }, uid)) || {};
			const read = async (types: RegExp) => {
				const part = bodyStructure?.childNodes?.find(({ type }) => types.test(type))?.part;
				const { content } = part ? await client.download(report, part, { ...uid, maxBytes: LONGEST }) : {};
				return content ? text(content) : '';
			};
			const bounce = bounceIn(
				await read(/^message\/((global-)?delivery-status|disposition-notification)$/),
				await read(/^(message|text)\/(rfc822|global)/),
			);
			if ((bounce && (await use(bounce))) !== 'too soon') await client.messageFlagsAdd(report, ['\\Seen'], uid);
		}
	});
}

/** The entry's id as `mail.ts` writes it: in the Message-ID, which Amazon SES replaces, and alone. */
const ours = /^(?:<[a-z]+-)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:@|$)/;
/** Others are delayed, relayed, delivered or read. Sieve's `reject` may send a notification (RFC 5429 section 2.1). */
const failed = /^failed\b|^automatic-action\b.*\bdeleted\b/;
/** An enhanced status: in its field or, since Exim writes only 5.0.0 there, behind the code of the server's answer. */
const exactStatus = /(?<=^|^smtp; ?\d{3}[ -])[45]\.(?!0\.0\b)\d{1,3}\.\d{1,3}(?!\S)/;

/** Returns who did not get which mail, if anybody. @param status of each recipient (RFC 3464 section 2, or RFC 8098 section 3) @param original the returned mail, or its header */
function bounceIn(status: string, original: string): Bounce | undefined {
	const [header = ''] = original.split(/\r?\n\r?\n/, 1);
	const id = firstMatch(ours, header, ['Message-ID', 'X-Entry-Id']);
	const firstBlocks = status.split(/(?:\r?\n){2,}/, MOST);
	const blocks = firstBlocks.filter((block) => firstMatch(failed, block, ['Action', 'Disposition']));
	const recipientsIn = (block: string) => ['Original-Recipient', 'Final-Recipient'].map((name) => fieldIn(block, name));
	if (id === undefined || blocks.length === 0) return undefined;
	return {
		id,
		channel: fieldIn(header, 'X-Channel'),
		recipients: blocks.flatMap(recipientsIn).map((field) => field.replace(/^[^;]*; ?/, '')),
		status: blocks.flatMap((block) => firstMatch(exactStatus, block, ['Status', 'Diagnostic-Code']) ?? [])[0] ?? '5.0.0',
	};
}

const firstMatch = (wanted: RegExp, block: string, names: string[]): string | undefined =>
	names.flatMap((name) => wanted.exec(fieldIn(block, name))?.at(-1) ?? [])[0];

/** Returns the value of a header field, unfolded and in lower case, or nothing. */
function fieldIn(block: string, name: string): string {
	const [, value = ''] = new RegExp(`^${name}:(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(block) ?? [];
	return value.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
