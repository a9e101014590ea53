import type { Intake } from '../lead/intake/intake.ts';
import { noLimit } from '../lead/intake/rate-limit.ts';
import { StoreError } from '../lead/store/store.ts';
import { type Deployment, deployWith } from '../server/deployment.ts';
import { describeError, logRejections } from '../server/error-log.ts';
import type { OperationDeps } from '../server/operations.ts';
import { readSettings, type Settings, SettingsError } from '../server/settings/settings.ts';

let deployment: Promise<Deployment> | undefined;

/** What all requests of this process share, made by the first. Undefined while it cannot be made: each request then logs why. */
export async function functionDeployment(): Promise<Deployment | undefined> {
	try {
		return await (deployment ??= deployFunction());
	} catch (error) {
		deployment = undefined;
		console.error(`The function cannot take leads. ${reasonOf(error)}`);
		return undefined;
	}
}

const refusingIntake: Intake = { take: () => Promise.resolve('unavailable'), quarantine: () => Promise.resolve() };

/** Stands in where there is no deployment: refuses every lead, with a 503. */
export const refusing: OperationDeps = {
	intake: refusingIntake,
	trialIntake: refusingIntake,
	rateLimit: noLimit,
	keyring: { find: () => Promise.resolve('unavailable') },
	refusals: noLimit,
};

async function deployFunction(): Promise<Deployment> {
	const made = await deployWith(withoutDisk(readSettings(process.env, defaults)));
	logRejections(made.log);
	return made;
}

/** A function has no disk that stays, which the default store would need. */
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

/** Of an exception that is not ours only kind and place are told: its words may be those of a lead. */
function reasonOf(error: unknown): string {
	if (error instanceof SettingsError || error instanceof StoreError) return error.message;
	return JSON.stringify(describeError(error));
}
