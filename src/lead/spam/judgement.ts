import { wordsIn } from '../../facts/load.ts';
import type { Context, Fields, SignalName } from './signal.ts';
import { signals } from './signals.ts';

/**
 * The verdict on a lead, and the names of the signals in it. `marked`: it is delivered with its reasons. `held`: it is quarantined.
 * The operator's verdict, `spam` or `clear`, replaces it, and keeps the signals.
 */
export interface Judgement {
	verdict: 'clear' | 'marked' | 'held' | 'spam';
	signals: string[];
}

/** Judges a lead by all signals. @param mayHold false: the lead is only marked */
export function judge(lead: Fields, context: Context, mayHold: boolean): Judgement {
	const found = Object.entries(signals)
		.map(([name, look]) => ({ name, strength: look(lead, context) }))
		.filter(({ strength }) => strength);
	if (found.length === 0) return { verdict: 'clear', signals: [] };
	const certain = found.some(({ strength }) => strength === 'certain');
	const strong = found.filter(({ strength }) => strength === 'strong').length;
	// The operator has said that a lead like this one is no spam.
	const cleared = context.trained === 'clear';
	const held = mayHold && !cleared && (certain || strong > 1);
	return { verdict: held ? 'held' : 'marked', signals: found.map(({ name }) => name) };
}

/** Returns the reasons of a judgement in words. A stored one may have signals that no longer exist. */
export const reasonsIn = (language: string, { signals: names }: Judgement): string[] =>
	names.flatMap((name) => wordsIn(language).spamReasons[name as SignalName] ?? []);
