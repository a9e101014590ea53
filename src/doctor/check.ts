import type { ManifestEntry } from '../server/files/manifest.ts';
import type { Settings } from '../server/settings/settings.ts';

/** The settings that an examination reads. */
export type DoctorSettings = Pick<Settings, 'store' | 'smtp' | 'webhooks'>;

/** Everything that checks look at. */
export interface Examination {
	origin: URL;
	build: Build;
	ask: Ask;
	/** Why the origin does not answer; undefined if it does. */
	silence: string | undefined;
	/** Each document of the build with the origin's answer; none if the origin does not answer. */
	documents: DocumentAnswer[];
	settings: DoctorSettings;
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

/** One check. An exception in it is a fault. */
export interface Check {
	/** Stable and unique: `documents: headers`. */
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

/** Returns the message of an exception on one line. `fetch` has it in the cause. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
	return /^(Abort|Timeout)Error$/.test(error.name) ? 'no answer in time' : error.message.replaceAll(/\s+/g, ' ');
}

/** An answer with its decoded body. No redirect is followed. */
interface Answer {
	status: number;
	headers: Headers;
	body: Buffer;
}

/** Requests a path of the origin. Rejects if no answer comes in time. */
export type Ask = (path: string, request?: RequestInit) => Promise<Answer>;

/** In milliseconds: the time limit of one answer, and of all. */
const PATIENCE = 15_000;
const LONGEST = 300_000;

/** Returns a function that asks this origin, until the time for all is over. */
export function askerOf(origin: URL): Ask {
	const deadline = AbortSignal.timeout(LONGEST);
	return async (path, request) => {
		const signal = AbortSignal.any([deadline, AbortSignal.timeout(PATIENCE)]);
		const answer = await fetch(new URL(path, origin), { redirect: 'manual', signal, ...request });
		return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
	};
}
