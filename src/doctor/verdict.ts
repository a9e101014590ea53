/** `warning`: it works, and somebody should look. `fault`: it is not as it was built, or does not work. `skipped`: not looked at. */
export type Outcome = 'ok' | 'warning' | 'fault' | 'skipped';

/** What a check has seen. */
export interface Verdict {
	outcome: Outcome;
	/** What was found: on one line. */
	found: string;
	/** What to do about it; none where there is nothing to do. */
	advice?: string;
}

export const ok = (found: string): Verdict => ({ outcome: 'ok', found });
export const warning = (found: string, advice: string): Verdict => ({ outcome: 'warning', found, advice });
export const fault = (found: string, advice: string): Verdict => ({ outcome: 'fault', found, advice });
export const skipped = (found: string): Verdict => ({ outcome: 'skipped', found });

/** How many of a list are named before the rest is counted. */
const NAMED = 3;

/** `one, two, three and 4 more` */
export function some(items: string[]): string {
	const rest = items.length - NAMED;
	return [items.slice(0, NAMED).join(', '), ...(rest > 0 ? [`${rest} more`] : [])].join(' and ');
}

/** A fault that names what is at fault; ok where nothing is. */
export const noneOf = (items: string[], good: string, advice: string): Verdict =>
	items.length === 0 ? ok(good) : fault(some(items), advice);

/** What an exception says, on one line: a name resolution or a connection has a code. */
export function reasonOf(error: unknown): string {
	if (error instanceof AggregateError) return reasonOf(error.errors[0]);
	if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)) return 'no answer in time';
	return error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
}
