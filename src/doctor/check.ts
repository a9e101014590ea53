import type { Settings } from '../server/settings/settings.ts';
import type { Build, BuiltFile } from './build.ts';
import type { Address, Answer, Ask } from './origin.ts';

/** The settings that an examination reads. */
export type DoctorSettings = Pick<Settings, 'store' | 'smtp' | 'email' | 'mailbox' | 'webhooks' | 'spam'>;

/** Everything that checks look at. */
export interface Examination {
	origin: URL;
	/** The target of connections to the origin; undefined: the one in the DNS. */
	address: Address | undefined;
	/** The function's own URL, which bypasses the proxy in front of it, if it has one that the operator gave. */
	functionUrl: URL | undefined;
	build: Build;
	ask: Ask;
	/** Returns why the origin does not answer; undefined if it does. */
	silence: () => Promise<string | undefined>;
	/** Requests every document once and returns the answers. */
	answers: () => Promise<DocumentAnswer[]>;
	settings: DoctorSettings;
	/** The command of the leads program: `npm run leads --`. */
	leads: string;
	/** True if the doctor may send a lead. */
	lead: boolean;
}

/** A document of the build, and the answer to a request for it. */
export type DocumentAnswer = Served | { file: BuiltFile; failure: string };

/** A document that got an answer. */
export interface Served {
	file: BuiltFile;
	answer: Answer;
	/** The decoded body; undefined if it cannot be decoded. */
	content: Buffer | undefined;
}

/** One check. An exception in it is a fault. */
export interface Check {
	/** Stable and unique: `documents: media types`. */
	name: string;
	look: (examination: Examination) => Finding | Promise<Finding>;
}

/** `warning`: it works, and somebody should look. `fault`: it differs from the build or does not work. `skipped`: not checked. */
export type Outcome = 'ok' | 'warning' | 'fault' | 'skipped';

/** The result of a check. */
export interface Finding {
	outcome: Outcome;
	/** The finding, on one line. */
	found: string;
	/** The remedy, if there is anything to do. */
	advice?: string;
}

export const ok = (found: string): Finding => ({ outcome: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({ outcome: 'warning', found, advice });
export const fault = (found: string, advice: string): Finding => ({ outcome: 'fault', found, advice });
export const skipped = (found: string): Finding => ({ outcome: 'skipped', found });

/** A list names so many items and counts the rest. */
const NAMED = 3;

/** `one, two, three and 4 more` */
export function nameSome(items: string[]): string {
	const rest = items.length - NAMED;
	return [items.slice(0, NAMED).join(', '), ...(rest > 0 ? [`${rest} more`] : [])].join(' and ');
}

/** Returns a fault that names the items, or ok if there are none. */
export const okIfNone = (items: string[], good: string, advice: string): Finding =>
	items.length === 0 ? ok(good) : fault(nameSome(items), advice);

/** Returns the message of an exception on one line. Name resolution and connections have a code. */
export function reasonOf(error: unknown): string {
	if (error instanceof AggregateError) return reasonOf(error.errors[0]);
	if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)) return 'no answer in time';
	return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
}

/** Advice where other bytes come than the build made. */
export const DEPLOY = 'Deploy all of the build that this program lies in, and let no cache keep what was there before.';

/** Advice where other headers come than the build declares. */
export const HEADERS = 'Let the host send what the build declares: src/hosts/README.md says in which file that is for yours.';

/** Advice where an answer of the API is not ours. */
export const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';

/** In milliseconds. */
const DAY = 86_400_000;

/** In days: how early to warn that something expires. */
const EXPIRY_NOTICE = 30;

/** Warns of what ends soon. */
export const expiring = (days: number, found: string, advice: string): Finding =>
	days < EXPIRY_NOTICE ? warning(found, advice) : ok(found);

export const daysUntil = (end: Date) => Math.floor((end.getTime() - Date.now()) / DAY);

export const remaining = (days: number) => (days < 0 ? 'it has ended' : `${days} ${days === 1 ? 'day' : 'days'} left`);
