import type { FieldName } from '../lead.ts';
import { type WebAddress, webAddressesIn } from './web-address.ts';

/** The text of a lead's fields. In quarantine any may be missing or wrong. */
export type Fields = Partial<Record<FieldName, string>>;

/** `certain`: the operator's own word. A lead is held for one of these, or for two strong ones. */
type Strength = 'weak' | 'strong' | 'certain';

/** Facts about a lead that are not in it. Absent: nobody could be asked. */
export interface Context {
	/** Leads of the last days with the same message, newest first: some of them, if there are many. */
	alike?: Fields[];
	/** What the operator said last of leads with the same message or a link to the same place. */
	trained?: 'spam' | 'clear' | undefined;
	/** What the spam engine would do with the lead as a mail. */
	engine?: 'reject' | 'add header' | 'no action' | undefined;
}

/** All that signals look at. */
export interface Evidence extends Context {
	lead: Fields;
	/** The web addresses in the message. */
	links: WebAddress[];
}

export const evidenceOf = (lead: Fields, context: Context = {}): Evidence => ({
	...context,
	lead,
	links: webAddressesIn(lead.message ?? ''),
});

/** One reason to take a lead for spam. Each is a file. */
export interface Signal {
	/** For headers, metrics and programs: stable. */
	name: string;
	/** For the sales team, by language. */
	reason: { en: string; [language: string]: string };
	/**
	 * Returns how strongly the lead looks like spam; `false` if it does not; `undefined` if it has nothing that the signal looks at,
	 * so that it proves nothing. Takes microseconds, whatever the lead holds.
	 */
	look(evidence: Evidence): Strength | false | undefined;
	/** Leads with what `look` returns for them: the tests read them, and they say what the signal means. */
	cases: [lead: Fields, result: ReturnType<Signal['look']>, context?: Context][];
}
