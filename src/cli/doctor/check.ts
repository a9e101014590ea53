import type { LeadStore } from '../../store/store.ts';
import type { ManifestEntry } from '../../server/manifest.ts';
import type { Settings } from '../../server/settings/settings.ts';

/** Checks by stable and unique names: `documents: headers`. An exception in one is a fault. */
export type Checks = Record<string, (examination: Examination) => Finding | Promise<Finding>>;

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

/** Everything that checks look at. */
export interface Examination {
	origin: URL;
	/** Requests a path of the origin, and follows no redirect. Rejects if no answer comes in time. */
	ask: (path: string, request?: RequestInit) => Promise<Answer>;
	/** Each file of the build that has an address of its own, with the origin's answer, or why there is none. */
	documents: (BuiltFile & { answer: Answer | string })[];
	/** The page of the build that answers all other addresses. */
	notFound: BuiltFile;
	settings: Settings;
	/** The open store of these settings, or why there is none to look at. */
	store: LeadStore | Finding;
	/** The command of the leads program: `npm run leads --`. */
	leads: string;
	/** True if the doctor may send a lead. */
	lead: boolean;
}

/** A file of the build; its content is without a content coding. */
export interface BuiltFile extends ManifestEntry {
	path: string;
	content: Buffer;
}

interface Answer extends Pick<Response, 'status' | 'headers'> {
	body: Buffer<ArrayBuffer>;
}

/** Returns the message of an exception on one line. `fetch` has it in the cause. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
	return /^(Abort|Timeout)Error$/.test(error.name) ? 'no answer in time' : error.message.replaceAll(/\s+/g, ' ');
}
