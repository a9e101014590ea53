import { createSecretKey, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { expiryOf } from '../discovery/well-known.ts';
import { paths } from '../facts/links.ts';
import { builtOn, service } from '../facts/load.ts';
import { channelsOf } from './channels.ts';
import { spamCheck } from '../outbox/judging.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { authenticateBy } from '../api/authentication.ts';
import { limitTo } from '../api/rate.ts';
import { DAY_MS } from '../lead/values.ts';
import { openStore } from '../store/store.ts';
import { openLog } from './log.ts';
import type { Settings } from './settings/settings.ts';

/** The open resources of a process, or of one request to a function: log, store, channels and limits. */
export type Backend = Awaited<ReturnType<typeof openBackend>>;

/** @param isFunction whether its host may freeze it after an answer @throws {StoreError} the message gives reason and remedy */
export async function openBackend(settings: Settings, log = openLog(settings.LOG_LEVEL), isFunction = false) {
	const { LEAD_RATE_LIMIT: rateLimit, LEAD_STORE: place } = settings;
	const { channels, visitorMail, canaries, spamEngines } = channelsOf(settings);
	const store = place.kind === 'none' ? undefined : await openStore(place);
	try {
		// Leases that are left are those of a server that died, or of one without the lock, which then delivers twice. In PostgreSQL they end by time.
		if (store?.file?.hasLock()) await store.endLeases();
	} catch (error) {
		await store?.[Symbol.asyncDispose]();
		throw error;
	}
	const secret = store?.secret ?? createSecretKey(randomBytes(32));
	const team = {
		language: settings.LEAD_LANGUAGE,
		timeZone: settings.LEAD_TIME_ZONE,
		linkSecret: settings.LEAD_ACTIONS ? store?.secret : undefined,
	};
	const mayHold = settings.LEAD_SPAM === 'hold' && store !== undefined;
	const policy = { mayHold, spamEngines, isAwaited: isFunction || store === undefined };
	const spam = settings.LEAD_SPAM === 'off' ? undefined : spamCheck(secret, policy, log);
	const outbox =
		store &&
		openOutbox({
			store,
			channels,
			visitorMail,
			canaries,
			schedule: settings.LEAD_RETRY,
			retention: settings.LEAD_RETENTION,
			team,
			spam,
			silence: settings.LEAD_SILENCE_ALERT,
			remind: settings.LEAD_REMIND,
			returns: settings.LEAD_BOUNCES_URL,
			log,
		});
	warnOfSettings(settings, store?.file?.risks() ?? [], log);
	const limit = rateLimit ? limitTo(rateLimit, store?.counts, secret, log) : undefined;
	return {
		settings,
		log,
		channels,
		canary: settings.CANARY_SECRET && { secret: settings.CANARY_SECRET, channels: canaries },
		kept: store && outbox && { store, outbox },
		secret,
		team,
		spam,
		limit,
		authenticate: authenticateBy(service.keys === 'issued' ? store?.keys : undefined, secret, limit, log),
		/** Finishes tries in flight, and closes the store. */
		async stop(): Promise<void> {
			await outbox?.stop();
			await store?.[Symbol.asyncDispose]();
		},
	};
}

/** The logs of those that were warned: on some hosts each request opens a backend. */
const warned = new WeakSet<Logger>();

function warnOfSettings(settings: Settings, risks: string[], log: Logger): void {
	const { LEAD_RETENTION, LEAD_STORE, LEAD_EMAIL_FROM: from, LEAD_EMAIL_TO: to = [], LEAD_EMAIL_ROUTES: routes = [] } = settings;
	if (warned.has(log)) return;
	warned.add(log);
	for (const risk of risks) log.warn(risk);
	if (from && [to, ...routes.map((route) => route.to)].flat().includes(from))
		log.warn(
			'LEAD_EMAIL_FROM is also a recipient: a ticket system then ignores Reply-To, and answers itself. Set another sender.',
		);
	if (LEAD_RETENTION > service.privacyNotice.retentionDays * 86_400)
		log.warn(
			'LEAD_RETENTION is longer than privacyNotice.retentionDays in content/service.yaml, which the privacy notice promises.',
		);
	warnOfExpiry(log);
	if (service.keys === 'issued' && LEAD_STORE.kind === 'none')
		log.warn('LEAD_STORE is none, so no API key works, although content/service.yaml says that keys are issued.');
}

/** Adds the embedded mailbox to the settings, if there is no channel. @param local whether somebody tries it out on their own machine */
export function withMailbox(settings: Settings, local: boolean): Settings {
	const configured = channelsOf(settings).channels.length > 0;
	return local && !configured ? { ...settings, LEAD_MAILBOX: 'var/mailbox' } : settings;
}

/** Warns, now and once a day, from thirty days before `security.txt` expires (RFC 9116 section 2.5.5). */
function warnOfExpiry(log: Logger): void {
	const expires = expiryOf(builtOn);
	const tell = () => {
		if (expires.getTime() - Date.now() < 30 * DAY_MS)
			log.warn({ expires }, `${paths.securityTxt} is not valid after this date. To renew it, build and deploy again.`);
	};
	tell();
	setInterval(tell, DAY_MS).unref();
}
