import { channel } from 'node:diagnostics_channel';
import type { ProblemName } from '../http/problem.ts';

/** An event on a lead's way, for metrics. Publishing costs nothing while nobody listens. */
function defineEvent<Event extends object>(name: string) {
	const diagnostics = channel(name);
	return {
		publish: (event: Event) => diagnostics.publish(event),
		subscribe: (listener: (event: Event) => void) => diagnostics.subscribe((event) => listener(event as Event)),
	};
}

/** The result of a submission that could be read. `test`: it came with the public test key. */
export type Outcome = 'accepted' | 'quarantined' | 'test' | ProblemName;

/** A submission was processed. */
export const submissionProcessed = defineEvent<{ outcome: Outcome }>('submission.processed');

/** A request was counted by this instance alone, because the store that counts for all could not. */
export const countedAlone = defineEvent<object>('request.counted-alone');

/** A try to deliver has ended. `waiting`: it is tried again; `failed`: it is not, and was kept nowhere. */
export const deliveryTried = defineEvent<{ channel: string; outcome: 'sent' | 'waiting' | 'parked' | 'failed' }>('lead.tried');
