import type { Intake } from '../lead/intake/intake.ts';
import { noLimit } from '../lead/intake/rate-limit.ts';
import { StoreError } from '../lead/store/store.ts';
import type { OperationDeps } from '../operations/operations.ts';
import { type Backend, openBackendWith } from '../server/backend.ts';
import { describeError, logRejections } from '../server/log.ts';
import { SettingsError } from '../server/settings/environment.ts';
import { readSettings, type Settings } from '../server/settings/settings.ts';
import type { Host } from './host.ts';

/** The backend that answers one request. */
interface Lent {
	/** Undefined if it failed: the log says why. */
	backend: Backend | undefined;
	/** Tries due deliveries, and releases the request's own resources. */
	finish(): Promise<void>;
}

let shared: Promise<Lent> | undefined;

/** Returns the backend that all requests share, or one for this request only if the host ties connections to requests. */
export async function backendFor(host: Host): Promise<Lent> {
	try {
		return await (shared ?? open(host));
	} catch (error) {
		shared = undefined;
		console.error(`The function cannot take leads. ${reasonOf(error)}`);
		return { backend: undefined, finish: () => Promise.resolve() };
	}
}

function open(host: Host): Promise<Lent> {
	const settings = readSettings(process.env, defaultsOn(host));
	requireNoDisk(settings);
	if (host.hasOwnAddress) requireSecret(settings);
	if (host.tiesConnections && settings.store.kind === 'postgres') return lendOwn(settings, host);
	return (shared = lendShared(settings, host));
}

async function lendShared(settings: Settings, { print }: Host): Promise<Lent> {
	const backend = await openBackendWith(settings, print);
	logRejections(backend.log);
	return { backend, finish: backend.tryDue };
}

async function lendOwn(settings: Settings, { print }: Host): Promise<Lent> {
	const backend = await openBackendWith(settings, print);
	return {
		backend,
		async finish() {
			await backend.tryDue();
			await backend.stop();
		},
	};
}

/** A function has no permanent disk, which the default store would need. */
const defaultsOn = ({ database = 'none' }: Host) => ({ LEAD_STORE: database });

const refusingIntake: Intake = { take: () => Promise.resolve('unavailable'), quarantine: () => Promise.resolve(false) };

/** Replaces a missing backend: refuses every lead with a 503. */
export const refusing: OperationDeps = {
	intake: refusingIntake,
	testIntake: refusingIntake,
	rateLimit: noLimit,
	keyring: { find: () => Promise.resolve('unavailable') },
};

function requireNoDisk({ store, mailbox }: Settings): void {
	const mistakes = [
		store.kind === 'sqlite' && 'LEAD_STORE must be none, or a database, for example postgres://user:password@host/leads.',
		mailbox && 'LEAD_MAILBOX must not be set: set SMTP_URL or LEAD_WEBHOOK_URL.',
	].filter((mistake) => typeof mistake === 'string');
	if (mistakes.length > 0) throw new SettingsError(['A function has no disk that stays.', ...mistakes].join('\n'));
}

/** AWS appends the caller's address. The cache in front wrote the entry before it, or a caller who imitates it: only the secret tells. */
function requireSecret({ trustProxy, functionSecret }: Settings): void {
	if (trustProxy < 2 || functionSecret !== undefined) return;
	throw new SettingsError(
		`Anybody who calls the function's own address could choose the address that is counted.\nFUNCTION_SECRET must be set with TRUST_PROXY=${trustProxy}, and the proxy must send it in X-Function-Secret.`,
	);
}

/** Names only kind and place of an exception that is not ours: its words may be those of a lead. */
function reasonOf(error: unknown): string {
	if (error instanceof SettingsError || error instanceof StoreError) return error.message;
	return JSON.stringify(describeError(error));
}
