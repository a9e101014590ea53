import type { LeadStore } from '../lead/store/store.ts';
import type { ManifestEntry } from '../server/manifest.ts';
import type { Settings } from '../server/settings/settings.ts';

/** One check. An exception in it is a fault. */
export interface Check {
	/** Stable and unique: `documents: headers`. */
	name: string;
	look: (examination: Examination) => Finding | Promise<Finding>;
}

/** The result of a check. */
export interface Finding {
	/** `warning`: it works, and somebody should look. `fault`: it differs from the build or does not work. `skipped`: not checked. */
	outcome: 'ok' | 'warning' | 'fault' | 'skipped';
	/** The finding, on one line. */
	found: string;
	/** The remedy, if there is anything to do. */
	advice?: string;
}

export const ok = (found: string): Finding => ({ outcome: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({ outcome: 'warning', found, advice });
export const fault = (found: string, advice: string): Finding => ({ outcome: 'fault', found, advice });
export const skipped = (found: string): Finding => ({ outcome: 'skipped', found });

/** The fault of something that cannot be asked. */
export const unreachable = (error: unknown): Finding =>
	fault(reasonOf(error), 'See to it that it can be reached from this machine, and look again.');

/** Returns the message of an exception on one line. `fetch` has it in the cause. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
	return /^(Abort|Timeout)Error$/.test(error.name) ? 'no answer in time' : error.message.replaceAll(/\s+/g, ' ');
}

/** Everything that checks look at. */
export interface Examination {
	origin: URL;
	build: Build;
	ask: Ask;
	/** Why the origin does not answer; undefined if it does. */
	silence: string | undefined;
	/** Each document of the build with the origin's answer; none if the origin does not answer. */
	documents: DocumentAnswer[];
	settings: Settings;
	/** The open store of these settings, or why there is none to look at. */
	store: LeadStore | Finding;
	/** The command of the leads program: `npm run leads --`. */
	leads: string;
	/** True if the doctor may send a lead. */
	lead: boolean;
}

export interface BuiltFile extends ManifestEntry {
	path: string;
	/** Without a content coding. */
	content: Buffer;
}

export interface Build {
	/** The files with an address of their own. */
	documents: BuiltFile[];
	/** The page that answers all other addresses. */
	notFound: BuiltFile;
}

/** A document of the build, and the answer to a request for it, or why there is none. */
export interface DocumentAnswer {
	file: BuiltFile;
	answer: Answer | string;
}

/** An answer with its decoded body. No redirect is followed. */
interface Answer {
	status: number;
	headers: Headers;
	body: Buffer;
}

/** Requests a path of the origin. Rejects if no answer comes in time. */
export type Ask = (path: string, request?: RequestInit) => Promise<Answer>;
