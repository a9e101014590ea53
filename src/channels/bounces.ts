import { text } from 'node:stream/consumers';
import { openMailbox } from './imap.ts';

/** A mail of ours that a server took and then returned (RFC 3464). */
export interface Bounce {
	/** Of the entry: nobody can guess it. */
	id: string;
	/** Who did not get it, in lower case: as we wrote it, if the report says so, and as the last server knew it. */
	recipients: string[];
	/** The enhanced status (RFC 3463), such as `5.1.1`. */
	status: string;
}

/** The most reports that one look reads. */
const MOST = 100;
/** In bytes: how much of each part is read. */
const LONGEST = 64 * 1024;

/**
 * Reads the reports in a mailbox that are not marked as seen. Marks each, unless `use` says that it comes too soon.
 *
 * @throws as `openMailbox`
 */
export async function readBounces(url: URL, use: (bounce: Bounce) => Promise<'too soon' | void>): Promise<void> {
	await using mailbox = await openMailbox(url);
	await mailbox.use(async (client) => {
		const uid = { uid: true };
		const found = await client.search({ seen: false, header: { 'content-type': 'multipart/report' } }, uid);
		if (!found) throw new Error('it refuses to be searched');
		for (const report of found.slice(0, MOST)) {
			const { bodyStructure } = (await client.fetchOne(report, { bodyStructure: true }, uid)) || {};
			const read = async (types: RegExp) => {
				const part = bodyStructure?.childNodes?.find(({ type }) => types.test(type))?.part;
				const { content } = part ? await client.download(report, part, { ...uid, maxBytes: LONGEST }) : {};
				return content ? text(content) : '';
			};
			const bounces = bouncesIn(
				await read(/^message\/(global-)?delivery-status$/),
				await read(/^(message|text)\/(rfc822|global)/),
			);
			const uses = await Promise.all(bounces.map(use));
			if (!uses.includes('too soon')) await client.messageFlagsAdd(report, ['\\Seen'], uid);
		}
	});
}

/** Our Message-IDs, as `mail.ts` makes them. */
const ours = /<[a-z]+-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@/;

/** Returns who did not get which mail. @param status of each recipient (RFC 3464 section 2) @param original the returned mail, or its header */
function bouncesIn(status: string, original: string): Bounce[] {
	const [header = ''] = original.split(/\r?\n\r?\n/, 1);
	const id = ours.exec(fieldIn(header, 'Message-ID'))?.[1];
	// Others are delayed, relayed or delivered.
	const failed = status.split(/\r?\n(?:\r?\n)+/).filter((block) => /^failed\b/.test(fieldIn(block, 'Action')));
	if (id === undefined) return [];
	return failed.map((block) => ({
		id,
		recipients: ['Original-Recipient', 'Final-Recipient'].map((name) => fieldIn(block, name).replace(/^[^;]*; ?/, '')),
		status: /^\d\.\d{1,3}\.\d{1,3}/.exec(fieldIn(block, 'Status'))?.[0] ?? '5.0.0',
	}));
}

/** Returns the value of a header field, unfolded and in lower case, or nothing. */
function fieldIn(block: string, name: string): string {
	const [, value = ''] = new RegExp(`^${name}:(.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(block) ?? [];
	return value.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
