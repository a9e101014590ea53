import type { SiteWords } from '../../facts/words.ts';
import type { FieldName } from '../lead.ts';

/** The text of a lead's fields. In quarantine any may be missing or wrong. */
export type Fields = Partial<Record<FieldName, string>>;

/** Facts about a lead that are not in it. A fact is absent if nothing is known. */
export interface Context {
	/** Earlier leads with the same message: the newest few. */
	alike?: Fields[];
	/** The operator's last verdict on a lead with a trait of this one. */
	trained?: 'spam' | 'clear' | undefined;
	/** The action of the spam engine that the operator runs (`LEAD_SPAM_URL`) for a mail of the same text. */
	engine?: 'reject' | 'add header' | 'no action' | undefined;
}

/**
 * A rule that finds a reason to take a lead for spam. Returns what it proves: one `certain` signal or two `strong` ones hold a lead, any
 * other marks it. Returns `false` if it finds nothing, `undefined` if the lead lacks what it looks at. Takes microseconds, whatever the
 * lead holds.
 */
export type Signal = (lead: Fields, context: Context) => 'weak' | 'strong' | 'certain' | false | undefined;

/** The name of a signal in headers, metrics and for programs. It does not change. Its reason is in `content/LANG/site.yaml`. */
export type SignalName = keyof SiteWords['spamReasons'];
