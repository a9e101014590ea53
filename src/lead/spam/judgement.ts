import type { Evidence } from './signal.ts';
import * as signals from './signals.ts';

/**
 * The verdict on a lead, and the names of the signals in it. `marked`: it is delivered with its reasons. `held`: it is quarantined.
 * The operator's verdict, `spam` or `clear`, replaces it, and keeps the signals.
 */
export interface Judgement {
	verdict: 'clear' | 'marked' | 'held' | 'spam';
	signals: string[];
}

/** The names of all signals. */
export const signalNames = Object.values(signals).map(({ name }) => name);

/** Judges a lead by all signals. @param mayHold false: the lead is only marked */
export function judge(evidence: Evidence, mayHold: boolean): Judgement {
	const found = Object.values(signals)
		.map(({ name, look }) => ({ name, strength: look(evidence) }))
		.filter(({ strength }) => strength);
	if (found.length === 0) return { verdict: 'clear', signals: [] };
	const certain = found.some(({ strength }) => strength === 'certain');
	const strong = found.filter(({ strength }) => strength === 'strong').length;
	// The operator has said that a lead like this one is no spam.
	const cleared = evidence.trained === 'clear';
	const held = mayHold && !cleared && (certain || strong > 1);
	return { verdict: held ? 'held' : 'marked', signals: found.map(({ name }) => name) };
}

/** Returns the reasons of a judgement in words: in the reader's language or, without words in it, in English. */
export const reasonsIn = (language: string, { signals: names }: Judgement): string[] =>
	names.flatMap((name) => {
		const signal = Object.values(signals).find((each) => each.name === name);
		return signal ? (signal.reason[language] ?? signal.reason.en) : [];
	});
