import type { SiteWords } from '../facts/words.ts';
import type { FieldName } from './lead.ts';

/**
 * The verdict on a lead, and the names of the signals in it. `marked`: the lead is delivered with the reasons. `held`: it is
 * quarantined. The operator's verdict, `spam` or `clear`, replaces the verdict, and keeps the signals.
 */
export type Judgement = { verdict: 'clear' | 'marked' | 'held' | 'spam'; signals: string[] };

/** The texts of a lead's fields. In quarantine any of them may be missing or wrong. */
export type Fields = Partial<Record<FieldName, string>>;

/** Facts about a lead that its fields do not hold. A fact that is not known is absent. */
export interface Context {
	/** Earlier leads with the same message: the newest few. */
	alike?: Fields[];
	/** The operator's last verdict on a lead with a trait of this one. */
	trained?: 'spam' | 'clear';
	/** The answers of the operator's spam engines (`LEAD_SPAM_URL`): rspamd's action, such as `reject`, or a model's word, such as `pitch`. */
	engines?: string[];
	/** The operator has sent it: a model, whose answer holds nothing, is not asked. */
	isCanary?: boolean;
	/** It came as a form, but not from our page, whose form has the honeypot. */
	form?: 'other';
}

/** The name of a signal in headers, metrics and for programs. It does not change. Its reason is in `content/LANG/site.yaml`. */
export type SignalName = keyof SiteWords['spamReasons'];
