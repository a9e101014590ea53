import { createHash } from 'node:crypto';
import { service } from '../facts/load.ts';
import type { Channel } from '../channels/channel.ts';
import { languageModel } from '../channels/language-model.ts';
import { mailbox } from '../channels/mailbox.ts';
import { withoutCredentials } from '../channels/programs.ts';
import { rspamd } from '../channels/rspamd.ts';
import { email, visitorMail } from '../channels/smtp.ts';
import { formatFor, webhook } from '../channels/webhook.ts';
import { originAt } from './settings/rules.ts';
import { type Settings, targetsOf } from './settings/settings.ts';

/**
 * Returns the `channels` to the sales team, `visitorMail`, which confirms leads to visitors, `canaries`, the channels that canaries go
 * to instead, and the `spamEngines` to ask about leads.
 */
export function channelsOf(settings: Settings) {
	const { SMTP_URL: smtp, LEAD_MAILBOX: folder, LEAD_EMAIL_ROUTES: routes, LEAD_SPAM_URL: engines = [] } = settings;
	const { LEAD_EMAIL_TO: to = [service.emails.sales], LEAD_EMAIL_FROM: address = 'website@localhost' } = settings;
	const { CANARY_EMAIL_TO: canaryTo, CANARY_WEBHOOK: listener } = settings;
	const url = listener && new URL(originAt(listener.host, listener.port));
	const parties = { from: { name: `${service.name} website`, address }, to, routes };
	const places = Math.max(...[to, ...(routes ?? []).map((route) => route.to)].map(({ length }) => length));
	// With several places, `email` takes nothing new. It sends what was saved for all of a list, by an earlier version or with other lists.
	const all = smtp && { ...email(smtp, parties), ...(places > 1 && { takes: () => false }) };
	return {
		channels: [
			...(all ? [all] : []),
			...(smtp && places > 1 ? Array.from({ length: places }, (_, index) => email(smtp, parties, index + 1)) : []),
			...(folder ? [mailbox(folder, parties)] : []),
			...webhooksOf(settings),
		] satisfies Channel[],
		visitorMail:
			smtp && settings.LEAD_AUTOREPLY
				? visitorMail(smtp, { name: service.name, address }, settings.LEAD_BOUNCES_URL !== undefined)
				: undefined,
		canaries: [
			...(smtp && canaryTo ? [{ ...email(smtp, { from: parties.from, to: [canaryTo] }), name: 'canary-email' }] : []),
			// `npm run doctor` listens at this address.
			...(url ? [webhook('canary-webhook', formatFor(url, 'json'), { url, secrets: [], inMail: false, freeText: true })] : []),
		] satisfies Channel[],
		spamEngines: engines.map((at) => {
			const isModel = at.protocol.startsWith('openai');
			return { name: at.host, isModel, ask: isModel ? languageModel(at) : rspamd(at, to) };
		}),
	};
}

/**
 * Names each webhook for its format and host. If several have these in common, the beginning of a hash tells them apart: their order may
 * change while leads wait. User name and password are not hashed. A URL that is there twice counts once.
 */
function webhooksOf(settings: Settings): Channel[] {
	const { LEAD_WEBHOOK_SECRET: secrets = [], LEAD_CHAT_MESSAGE: freeText } = settings;
	const inMail = Boolean(settings.SMTP_URL || settings.LEAD_MAILBOX);
	const distinct = new Map(targetsOf(settings).map((target) => [`${target.format.name} ${target.url.href}`, target]));
	const named = Map.groupBy(distinct.values(), ({ url, format }) => `${format.name}:${url.host}`);
	return [...named].flatMap(([name, alike]) =>
		alike.map(({ url, format }) => {
			const mark = createHash('sha256').update(withoutCredentials(url)).digest('hex').slice(0, 6);
			return webhook(alike.length > 1 ? `${name}#${mark}` : name, format, { url, secrets, inMail, freeText });
		}),
	);
}
