import type { ContactDeps } from '../lead/intake/contact.ts';
import { StoreError } from '../lead/store/store.ts';
import { origin } from '../service/load.ts';
import { type Deployment, deployWith } from '../server/deployment.ts';
import { describeError, logRejections } from '../server/error-log.ts';
import { readSettings, type Settings, SettingsError } from '../server/settings/settings.ts';

let deployment: Promise<Deployment> | undefined;

/** What all requests of this process share, made by the first. Undefined while it cannot be made: why is in the log each time. */
export async function functionDeployment(): Promise<Deployment | undefined> {
	try {
		return await (deployment ??= deployFunction());
	} catch (error) {
		deployment = undefined;
		console.error(`The function cannot take leads. ${reasonOf(error)}`);
		return undefined;
	}
}

/** Takes no lead, and says so to whoever sends one. */
export const refusingContact: ContactDeps = {
	intake: { take: () => Promise.resolve('unavailable'), quarantine: () => Promise.resolve() },
	rateLimit: { count: () => Promise.resolve(undefined) },
	ownHosts: [new URL(origin).host],
};

async function deployFunction(): Promise<Deployment> {
	const made = await deployWith(withoutDisk(readSettings(process.env, defaults)));
	logRejections(made.log);
	return made;
}

/** A function has no disk of its own. */
const defaults = { LEAD_STORE: 'none' };

function withoutDisk(settings: Settings): Settings {
	const mistakes = [
		settings.store.kind === 'sqlite' &&
			'LEAD_STORE must be none, or a database, for example postgres://user:password@host/leads.',
		settings.mailbox && 'LEAD_MAILBOX must not be set: set SMTP_URL or LEAD_WEBHOOK_URL.',
	].filter((mistake) => typeof mistake === 'string');
	if (mistakes.length > 0) throw new SettingsError(['A function has no disk that stays.', ...mistakes].join('\n'));
	return settings;
}

/** Of what we did not expect, kind and place: its words are not ours. */
function reasonOf(error: unknown): string {
	if (error instanceof SettingsError || error instanceof StoreError) return error.message;
	return JSON.stringify(describeError(error));
}
