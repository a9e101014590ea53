/** `warning`: it works, and somebody should look. `fault`: it differs from the build or does not work. `skipped`: not checked. */
export type Outcome = 'ok' | 'warning' | 'fault' | 'skipped';

/** The result of a check. */
export interface Verdict {
	outcome: Outcome;
	/** The finding, on one line. */
	found: string;
	/** The remedy, if there is anything to do. */
	advice?: string;
}

export const ok = (found: string): Verdict => ({ outcome: 'ok', found });
export const warning = (found: string, advice: string): Verdict => ({ outcome: 'warning', found, advice });
export const fault = (found: string, advice: string): Verdict => ({ outcome: 'fault', found, advice });
export const skipped = (found: string): Verdict => ({ outcome: 'skipped', found });

/** A list names so many items and counts the rest. */
const NAMED = 3;

/** `one, two, three and 4 more` */
export function nameSome(items: string[]): string {
	const rest = items.length - NAMED;
	return [items.slice(0, NAMED).join(', '), ...(rest > 0 ? [`${rest} more`] : [])].join(' and ');
}

/** Returns a fault that names the items, or ok if there are none. */
export const okIfNone = (items: string[], good: string, advice: string): Verdict =>
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
