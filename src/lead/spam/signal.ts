import type { FieldName } from '../lead.ts';
import { type WebAddress, webAddressesIn } from './web-address.ts';

/** The text of a lead's fields. In quarantine any may be missing or wrong. */
export type Fields = Partial<Record<FieldName, string>>;

/** How much a signal proves. One `certain` signal or two `strong` ones hold a lead; any other marks it. */
type Strength = 'weak' | 'strong' | 'certain';

/** Facts about a lead that are not in it. A fact is absent if nothing is known. */
export interface Context {
	/** Earlier leads whose message has the same fingerprint: the newest few. */
	alike?: Fields[];
	/** The operator's last verdict on a lead with a trait of this one. */
	trained?: 'spam' | 'clear' | undefined;
	/** The spam engine's action for a mail of the same text. */
	engine?: 'reject' | 'add header' | 'no action' | undefined;
}

/** All that signals look at. */
export interface Evidence extends Context {
	lead: Fields;
	/** The web addresses in the message. */
	links: WebAddress[];
}

/** Returns what signals look at in a lead. */
export const evidenceOf = (lead: Fields, context: Context = {}): Evidence => ({
	...context,
	lead,
	links: webAddressesIn(lead.message ?? ''),
});

/** A rule that finds a reason to take a lead for spam. */
export interface Signal {
	/** Its name in headers, metrics and for programs. It does not change. */
	name: string;
	/** Tells the sales team why, by language. */
	reason: { en: string; [language: string]: string };
	/**
	 * Returns what it proves; `false` if it finds nothing; `undefined` if the lead lacks what the signal looks at. Takes microseconds,
	 * whatever the lead holds.
	 */
	look(evidence: Evidence): Strength | false | undefined;
	/** Examples, which the tests check: leads with what `look` returns for them. */
	cases: [lead: Fields, result: ReturnType<Signal['look']>, context?: Context][];
}
