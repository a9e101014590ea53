import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { service } from '../facts/load.ts';
import type { StoreSetting } from '../store/index.ts';
import type { Channel } from './channel.ts';
import { mailbox } from './mailbox.ts';
import { withoutCredentials } from './programs.ts';
import type { MailRoute } from './routes.ts';
import { rspamd, type SpamEngine } from './rspamd.ts';
import { email, visitorMail } from './smtp.ts';
import { formatFor, type FormatName, webhook } from './webhook.ts';

/** The settings that define the channels. */
export interface ChannelSettings {
	/** URL of the mail server. Undefined: no mail by SMTP. */
	smtp: string | undefined;
	/** For the sales team's mail, by SMTP or into the mailbox: its parties (`to` and `from` are set if `smtp` is). */
	email: { to: string[] | undefined; from: string | undefined; routes?: MailRoute[] | undefined };
	/** `freeText`: whether chat shows the visitor's free text. */
	webhooks: { targets: { url: URL; format: FormatName | 'auto' }[]; secrets: string[]; freeText: boolean };
	/** Whether visitors get a confirmation, by SMTP. */
	confirm?: boolean;
	/** Folder of a Maildir: the embedded mailbox. */
	mailbox: string | undefined;
	store: StoreSetting;
	/** The engine that is asked whether a lead is spam, if any. */
	spam?: { url?: URL | undefined };
}

/** Returns the channels of a deployment, in the order: email, mailbox, webhooks. */
export function channelsOf(settings: ChannelSettings): Channel[] {
	const { smtp: url, mailbox: folder } = settings;
	const from = { name: `${service.name} website`, address: senderOf(settings) };
	const parties = { from, to: recipientsOf(settings), routes: settings.email.routes };
	return [...(url ? [email(url, parties)] : []), ...(folder ? [mailbox(folder, parties)] : []), ...webhooksOf(settings)];
}

/** Returns the channel for confirmations to visitors, or undefined if they get none. It does not reach the sales team. */
export function visitorMailOf(settings: ChannelSettings): Channel | undefined {
	const { smtp: url, confirm } = settings;
	return url && confirm ? visitorMail(url, { name: service.name, address: senderOf(settings) }) : undefined;
}

/** Returns the engine that is asked whether a lead is spam, if there is one. */
export function spamEngineOf(settings: ChannelSettings, log: Logger): SpamEngine | undefined {
	const url = settings.spam?.url;
	return url && rspamd(url, recipientsOf(settings), log);
}

const recipientsOf = ({ email: { to } }: ChannelSettings) => to ?? [service.emails.sales];

const senderOf = ({ email: { from } }: ChannelSettings) => from ?? 'website@localhost';

/**
 * Names each webhook for its format and host. If several have these in common, the beginning of a hash tells them apart: their order may
 * change while leads wait. What is hashed has no user name and no password. A URL that is there twice counts once.
 */
function webhooksOf({ webhooks: { targets, ...options }, smtp, mailbox: folder, store }: ChannelSettings): Channel[] {
	const inStore = store.kind === 'none' ? undefined : 'store';
	const fullText = smtp || folder ? 'mail' : inStore;
	const formatted = targets.map(({ url, format }) => ({ url, format: formatFor(url, format) }));
	const distinct = new Map(formatted.map((target) => [`${target.format.name} ${target.url.href}`, target]));
	const named = Map.groupBy(distinct.values(), ({ url, format }) => `${format.name}:${url.host}`);
	return [...named].flatMap(([name, alike]) =>
		alike.map(({ url, format }) => {
			const mark = createHash('sha256').update(withoutCredentials(url)).digest('hex').slice(0, 6);
			return webhook(alike.length > 1 ? `${name}#${mark}` : name, format, { url, fullText, ...options });
		}),
	);
}
