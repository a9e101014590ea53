import type { Examination } from './examination.ts';
import type { Verdict } from './verdict.ts';

/** One thing that is looked at. An exception of it is a fault. */
export interface Check {
	/** Stable, and unlike all others: `documents: media types`. */
	name: string;
	look: (examination: Examination) => Verdict | Promise<Verdict>;
}

/** A verdict, and of which check. */
export interface Finding extends Verdict {
	check: string;
}
