import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { expiryOf } from '../discovery/well-known.ts';
import { keyringOf } from '../keys/keyring.ts';
import { channelsOf, spamEngineOf, visitorMailOf } from '../lead/channels/index.ts';
import { openRateLimit } from '../lead/intake/rate-limit.ts';
import { openPipeline } from '../lead/pipeline.ts';
import { paths } from '../facts/links.ts';
import { builtOn, service } from '../facts/load.ts';
import { openLog } from './log.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/** One process's open resources: its log, store, channels and limits. */
export type Backend = Awaited<ReturnType<typeof openBackendWith>>;

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
 * @param opened the secret of the store, if this process opened a backend within the hour: what is done once is not done again
 * @throws {StoreError} the message gives reason and remedy
 */
export async function openBackendWith(settings: Settings, log = openLog(settings.logLevel), opened?: KeyObject) {
	if (!opened) warnOfSettings(settings, log);
	const channels = channelsOf(settings);
	const visitorMail = visitorMailOf(settings);
	const { intake, testIntake, keys, backlog, secret, tryDue, stop } = await openPipeline({
		...settings,
		secret: opened,
		channels,
		visitorMail,
		spamPolicy:
			settings.spam.mode === 'off' ? undefined : { mayHold: settings.spam.mode === 'hold', engine: spamEngineOf(settings, log) },
		log,
	});
	const rateLimit = await openRateLimit({ policy: settings.rateLimit, store: settings.store, secret, log });
	return {
		settings,
		channels,
		visitorMail,
		backlog,
		log,
		secret,
		intake,
		testIntake,
		rateLimit,
		keyring: keyringOf(service.keys === 'issued' ? keys : undefined, secret, log),
		tryDue,
		stop: () => Promise.all([stop(), rateLimit.stop()]),
	};
}

function warnOfSettings({ retention, store }: Settings, log: Logger): void {
	if (retention > service.privacyNotice.retentionDays * 86_400)
		log.warn(
			'LEAD_RETENTION is longer than privacyNotice.retentionDays in content/service.yaml, which the privacy notice promises.',
		);
	watchExpiry(log);
	if (service.keys === 'issued' && store.kind === 'none')
		log.warn('LEAD_STORE is none, so no API key works, although content/service.yaml says that keys are issued.');
}

/** Adds the embedded mailbox to the settings of a local trial without a channel. */
export function withMailbox(settings: Settings, local: boolean): Settings {
	const configured = channelsOf(settings).length > 0;
	return local && !configured ? { ...settings, mailbox: EMBEDDED_MAILBOX } : settings;
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
