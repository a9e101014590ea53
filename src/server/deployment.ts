import { pino } from 'pino';
import { channelsOf } from '../lead/channels/index.ts';
import type { ContactDeps } from '../lead/contact.ts';
import { deliverTo } from '../lead/deliver.ts';
import { rateLimitOf } from '../lead/rate-limit.ts';
import { origin } from '../service/load.ts';
import { readSettings } from './settings.ts';

/** Where leads lie when somebody tries the project out and has configured no channel. */
const EMBEDDED_MAILBOX = 'var/mailbox';

/**
 * Everything this process needs, made from its settings.
 *
 * @param local somebody tries it out on their own machine: without a channel, leads go to the embedded mailbox
 * @throws {SettingsError}
 */
export function deploy({ local }: { local: boolean }) {
	const settings = readSettings();
	const configured = channelsOf(settings);
	const mailbox = local && configured.length === 0 ? EMBEDDED_MAILBOX : settings.mailbox;
	const channels = mailbox === settings.mailbox ? configured : channelsOf({ ...settings, mailbox });
	const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }) } });
	const contact: ContactDeps = {
		deliver: deliverTo(channels, log),
		rateLimit: rateLimitOf(settings.rateLimit),
		ownHosts: [new URL(origin).host],
	};
	return { settings, channels, mailbox, log, contact };
}
