import { disposable } from './disposable.ts';
import { links } from './links.ts';
import { nameAddress } from './name-address.ts';
import { randomLetters } from './random-letters.ts';
import { repeated } from './repeated.ts';
import type { Signal, SignalName } from './signal.ts';

/** All signals. Each has cases in `tests/lead/spam/signals.test.ts`. */
export const signals: Record<SignalName, Signal> = {
	/** The field that people do not see was filled. The intake holds such a lead unjudged. */
	honeypot: ({ website }) => (website ? 'certain' : false),
	/** The operator marked a lead as spam that has a trait of this one. */
	trained: (_, { trained }) => trained && trained === 'spam' && 'certain',
	engine: (_, { engine }) => engine && (engine === 'reject' ? 'strong' : engine === 'add header' && 'weak'),
	'name-address': nameAddress,
	repeated,
	'random-letters': randomLetters,
	links,
	disposable,
};
