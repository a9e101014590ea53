import type { Evidence } from './signal.ts';
import * as signals from './signals.ts';

/**
 * The verdict on a lead, and the names of the signals that led to it. `marked`: delivered with its reasons. `held`: put into
 * quarantine. `spam`: the operator says that it is.
 */
export interface Judgement {
	verdict: 'clear' | 'marked' | 'held' | 'spam';
	signals: string[];
}

/** The names of all signals. */
export const signalNames = Object.values(signals).map(({ name }) => name);

/** Judges a lead by all signals. @param mayHold false: a lead is only ever marked */
export function judge(evidence: Evidence, mayHold: boolean): Judgement {
	const found = Object.values(signals)
		.map(({ name, look }) => ({ name, strength: look(evidence) }))
		.filter(({ strength }) => strength);
	if (found.length === 0) return { verdict: 'clear', signals: [] };
	const certain = found.some(({ strength }) => strength === 'certain');
	const strong = found.filter(({ strength }) => strength === 'strong').length;
	// The operator has said that leads like this one are none.
	const cleared = evidence.trained === 'clear';
	const held = mayHold && !cleared && (certain || strong > 1);
	return { verdict: held ? 'held' : 'marked', signals: found.map(({ name }) => name) };
}

/** Returns the reasons of a judgement in words. @param language of the reader; without words in it they are English */
export const reasonsIn = (language: string, { signals: names }: Judgement): string[] =>
	names.flatMap((name) => {
		const signal = Object.values(signals).find((each) => each.name === name);
		return signal ? (signal.reason[language] ?? signal.reason.en) : [];
	});
