import { channel } from 'node:diagnostics_channel';
import type { Judgement } from './spam/judgement.ts';
import type { ProblemName } from '../http/problem.ts';

/** An event on a lead's way, for metrics. Publishing costs nothing while nobody listens. */
interface LeadEvent<Event extends object> {
	publish(event: Event): void;
	subscribe(listener: (event: Event) => void): void;
}

/** Programs loaded with `--import` can listen too, by the name of Node's diagnostics channel. */
const defineEvent = <Event extends object>(name: string): LeadEvent<Event> => {
	const diagnostics = channel(name);
	return {
		publish: (event) => diagnostics.publish(event),
		subscribe: (listener) => diagnostics.subscribe((event) => listener(event as Event)),
	};
};

/** The result of a submission that could be read. `test`: it came with a test key. */
export type Outcome = 'accepted' | 'quarantined' | 'test' | ProblemName;

/** A submission was processed. */
export const submissionProcessed = defineEvent<{ outcome: Outcome }>('submission.processed');

/** A lead was judged: whether it looks like spam, and why. */
export const leadJudged = defineEvent<Judgement>('lead.judged');

/** A try to deliver has ended. `waiting`: it is tried again; `failed`: it is not, and was kept nowhere. */
export const deliveryTried = defineEvent<{ channel: string; outcome: 'sent' | 'waiting' | 'parked' | 'failed' }>('lead.tried');

/** The store has committed: SQLite all changes of one moment, PostgreSQL a statement. `took` is in milliseconds. */
export const committed = defineEvent<{ took: number }>('lead.committed');
