import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import { StoreError } from '../store/store.ts';
import type { OperationDeps } from '../api/operations.ts';
import { openBackendWith } from './backend.ts';
import { describeError, logRejections, openLog } from './log.ts';
import { SettingsError } from './settings/environment.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import type { Host } from './host.ts';

/** The parts that answer one request. */
interface Lent {
	/** Undefined if they are wrong: the log says why. */
	settings: Settings | undefined;
	log: Logger | undefined;
	/** Undefined if the answer needs none, or none could be opened: the log says why. */
	deps: OperationDeps;
	/** Tries due deliveries, and releases the request's own resources. */
	finish(): Promise<void>;
}

let known: Settings | undefined;
let log: Logger | undefined;
let shared: Promise<Pick<Lent, 'deps' | 'finish'>> | undefined;
/** The secret of the store that an earlier request opened for itself, and when its tables are looked at again. */
let earlier: { secret: KeyObject; until: number } | undefined;

/** In milliseconds. */
const HOUR = 3600_000;

/**
 * Returns the backend that all requests share, or one for this request only if the host ties connections to requests.
 *
 * @param opens whether the answer needs one. A health check opens nothing
 */
export async function backendFor(host: Host, opens: boolean): Promise<Lent> {
	const lent: Lent = { settings: undefined, log: undefined, deps: undefined, finish: () => Promise.resolve() };
	try {
		const settings = known ?? settingsOn(host);
		log ??= openLog(settings.LOG_LEVEL, host.print);
		Object.assign(lent, { settings, log });
		if (!opens) return lent;
		const own = host.tiesConnections && settings.LEAD_STORE.kind === 'postgres';
		return { ...lent, ...(await (own ? lendOwn(settings) : (shared ??= lendShared(settings)))) };
	} catch (error) {
		shared = undefined;
		console.error(`The function cannot take leads. ${reasonOf(error)}`);
		return lent;
	}
}

function settingsOn(host: Host): Settings {
	const settings = readSettings(process.env, defaultsOn(host));
	requireNoDisk(settings);
	if (host.hasOwnAddress) requireSecret(settings);
	// Otherwise the address of the database is one of the request's bindings.
	if (!host.tiesConnections) known = settings;
	return settings;
}

async function lendShared(settings: Settings): Promise<Pick<Lent, 'deps' | 'finish'>> {
	const backend = await openBackendWith(settings, log);
	logRejections(backend.log);
	return { deps: backend, finish: backend.tryDue };
}

async function lendOwn(settings: Settings): Promise<Pick<Lent, 'deps' | 'finish'>> {
	const recent = earlier && Date.now() < earlier.until ? earlier : undefined;
	const backend = await openBackendWith(settings, log, recent?.secret);
	earlier = recent ?? { secret: backend.secret, until: Date.now() + HOUR };
	return {
		deps: backend,
		async finish() {
			await backend.tryDue();
			await backend.stop();
		},
	};
}

/** A function has no permanent disk, which the default store would need. */
const defaultsOn = ({ database = 'none' }: Host) => ({ LEAD_STORE: database });

function requireNoDisk({ LEAD_STORE, LEAD_MAILBOX }: Settings): void {
	const mistakes = [
		LEAD_STORE.kind === 'sqlite' && 'LEAD_STORE must be none, or a database, for example postgres://user:password@host/leads.',
		LEAD_MAILBOX && 'LEAD_MAILBOX must not be set: set SMTP_URL or LEAD_WEBHOOK_URL.',
	].filter((mistake) => typeof mistake === 'string');
	if (mistakes.length > 0) throw new SettingsError(['A function has no disk that stays.', ...mistakes].join('\n'));
}

/** AWS appends the caller's address. The cache in front wrote the entry before it, or a caller who imitates it: only the secret tells. */
function requireSecret({ TRUST_PROXY, FUNCTION_SECRET }: Settings): void {
	if (TRUST_PROXY < 2 || FUNCTION_SECRET !== undefined) return;
	throw new SettingsError(
		`Anybody who calls the function's own address could choose the address that is counted.\nFUNCTION_SECRET must be set with TRUST_PROXY=${TRUST_PROXY}, and the proxy must send it in X-Function-Secret.`,
	);
}

/** Names only kind and place of an exception that is not ours: its words may be those of a lead. */
function reasonOf(error: unknown): string {
	if (error instanceof SettingsError || error instanceof StoreError) return error.message;
	return JSON.stringify(describeError(error));
}
