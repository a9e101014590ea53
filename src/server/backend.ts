import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { expiryOf } from '../discovery/well-known.ts';
import { paths } from '../facts/links.ts';
import { builtOn, service } from '../facts/load.ts';
import { channelsOf } from '../channels/channels.ts';
import { spamCheck } from '../outbox/judging.ts';
import { openOutbox } from '../outbox/outbox.ts';
import { authenticateBy } from '../api/authentication.ts';
import { limitTo } from '../api/rate.ts';
import { type LeadStore, openStore } from '../store/store.ts';
import { openLog } from './log.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** One process's open resources: its log, store, channels and limits. */
export type Backend = Awaited<ReturnType<typeof backendOn>>;

/** Keeps leads when somebody tries the project out without a channel. */
const EMBEDDED_MAILBOX = 'var/mailbox';

/**
 * Opens the backend of this process, from its settings.
 *
 * @param local for a person who tries it out on their own machine: without a channel, leads go to the embedded mailbox
 * @throws {SettingsError | StoreError} the message gives reason and remedy
 */
export const openBackend = ({ local }: { local: boolean }) => openBackendWith(withMailbox(readSettings(), local));

/**
 * Opens a backend from settings that were already read.
 *
 * @param known the secret of the store, if this process opened a backend within the hour: what is done once is not done again
 * @throws {StoreError} the message gives reason and remedy
 */
export async function openBackendWith(
	settings: Settings,
	log = openLog(settings.LOG_LEVEL),
	known?: KeyObject,
): Promise<Backend> {
	const { LEAD_STORE: place } = settings;
	const store = place.kind === 'none' ? undefined : await openStore(place, { secret: known });
	try {
		const backend = await backendOn(store, settings, log, known === undefined);
		// Not before: it may be tried again and again.
		if (!known) warnOfSettings(settings, log);
		return backend;
	} catch (error) {
		await store?.[Symbol.asyncDispose]();
		throw error;
	}
}

async function backendOn(store: LeadStore | undefined, settings: Settings, log: Logger, fresh: boolean) {
	const { LEAD_RATE_LIMIT: rateLimit } = settings;
	const { channels, visitorMail, canaries, spamEngine: engine } = channelsOf(settings);
	const isFile = settings.LEAD_STORE.kind === 'sqlite';
	// A file has one server, so its leases are of a server that died. In PostgreSQL they may be another instance's, and will end.
	if (isFile) await store?.endLeases();
	const secret = store?.secret ?? createSecretKey(randomBytes(32));
	const team = {
		language: settings.LEAD_LANGUAGE,
		timeZone: settings.LEAD_TIME_ZONE,
		links: settings.LEAD_ACTIONS ? store?.secret : undefined,
	};
	const mayHold = settings.LEAD_SPAM === 'hold' && store !== undefined;
	const spam = settings.LEAD_SPAM === 'off' ? undefined : spamCheck(secret, { mayHold, engine }, log);
	const outbox =
		store &&
		(await openOutbox({
			store,
			channels,
			visitorMail,
			canaries,
			schedule: settings.LEAD_RETRY,
			retention: settings.LEAD_RETENTION,
			team,
			spam,
			silence: settings.LEAD_SILENCE,
			scrubs: isFile,
			fresh,
			log,
		}));
	const limit = rateLimit && limitTo(rateLimit, store?.counts, secret, log);
	return {
		settings,
		log,
		channels,
		visitorMail,
		canary: settings.CANARY_SECRET && { secret: settings.CANARY_SECRET, channels: canaries },
		store,
		outbox,
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

function warnOfSettings({ LEAD_RETENTION, LEAD_STORE }: Settings, log: Logger): void {
	if (LEAD_RETENTION > service.privacyNotice.retentionDays * 86_400)
		log.warn(
			'LEAD_RETENTION is longer than privacyNotice.retentionDays in content/service.yaml, which the privacy notice promises.',
		);
	watchExpiry(log);
	if (service.keys === 'issued' && LEAD_STORE.kind === 'none')
		log.warn('LEAD_STORE is none, so no API key works, although content/service.yaml says that keys are issued.');
}

/** Adds the embedded mailbox to the settings of a local trial without a channel. */
export function withMailbox(settings: Settings, local: boolean): Settings {
	const configured = channelsOf(settings).channels.length > 0;
	return local && !configured ? { ...settings, LEAD_MAILBOX: EMBEDDED_MAILBOX } : settings;
}

/** In milliseconds. */
const DAY = 86_400_000;
/** In milliseconds: how long before the expiry to begin warning. */
const WARN_BEFORE = 30 * DAY;

/** Warns, now and once a day, from thirty days before `security.txt` expires (RFC 9116 section 2.5.5). */
function watchExpiry(log: Logger): void {
	const expires = expiryOf(builtOn);
	const tell = () => {
		if (expires.getTime() - Date.now() < WARN_BEFORE)
			log.warn({ expires }, `${paths.securityTxt} is old: after this date nobody may rely on it. Build and deploy again.`);
	};
	tell();
	setInterval(tell, DAY).unref();
}
