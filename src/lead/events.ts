import { channel } from 'node:diagnostics_channel';
import type { ProblemName } from '../http/problem.ts';

/** Something that happens on a lead's way, for whoever counts it. While nobody listens, to tell of it costs nothing. */
interface Happening<Event extends object> {
	publish(event: Event): void;
	subscribe(listener: (event: Event) => void): void;
}

/** Also for programs that are loaded with `--import`, by the name of Node's diagnostics channel. */
const happening = <Event extends object>(name: string): Happening<Event> => {
	const told = channel(name);
	return {
		publish: (event) => told.publish(event),
		subscribe: (listener) => told.subscribe((event) => listener(event as Event)),
	};
};

/** What became of a submission that could be read. `test`: it came with a test key. */
export type Outcome = 'accepted' | 'quarantined' | 'test' | ProblemName;

/** A submission was judged. */
export const judged = happening<{ outcome: Outcome }>('lead.judged');

/** A try to deliver has ended. `waiting`: it is tried again; `failed`: it is not, and was kept nowhere. */
export const tried = happening<{ channel: string; outcome: 'sent' | 'waiting' | 'parked' | 'failed' }>('lead.tried');

/** The store has committed: SQLite what has come at the same time, PostgreSQL a statement. `took` is in milliseconds. */
export const committed = happening<{ took: number }>('lead.committed');
