import type { Channel } from './channel.ts';

/** The names that `LEAD_WEBHOOK_FORMAT` may have, beside `auto`. */
export const formatNames = ['slack', 'json'] as const;
export type FormatName = (typeof formatNames)[number];

/** What a deployment says of its channels. */
export interface ChannelSettings {
	/** URL of the mail server; undefined: no mail by SMTP. */
	smtp: string | undefined;
	/** Of the mail that the sales team gets, by SMTP or into the mailbox. Both are set where `smtp` is. */
	email: { to: string[] | undefined; from: string | undefined };
	webhooks: { urls: URL[]; format: FormatName | 'auto'; secrets: string[] };
	/** Folder of a Maildir: the embedded mailbox. */
	mailbox: string | undefined;
}

/** The channels that a deployment has, in the order: email, mailbox, webhooks. */
export function channelsOf(_settings: ChannelSettings): Channel[] {
	return [];
}
