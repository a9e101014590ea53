import { DAY_MS, HOUR_MS } from '../lead/values.ts';

/** Says how the entries of a kind are treated, wherever they are read. Another kind is another row of {@link kinds}. */
export interface Kind {
	/** Whether the sales team is told when it does not arrive: when tries fail, or its mail comes back. */
	isMissed: boolean;
	/** Whether it is in the operator's list. */
	isListed: boolean;
	/** Whether a retry keeps it on the channels that it was saved for. If not, it may move to those of the settings, and `retry --parked` takes it. */
	keepsChannels: boolean;
	/** In milliseconds from when it was saved: the purge then deletes it in any state. `LEAD_RETENTION` may delete a delivered one before. A lead has none: it waits for its delivery. */
	lifetime?: number;
}

export const kinds = {
	lead: { isMissed: true, isListed: true, keepsChannels: false },
	/** A lead of the operator's. Whoever sent it waits no longer for it. */
	canary: { isMissed: false, isListed: false, keepsChannels: true, lifetime: HOUR_MS },
	/** News for the sales team. After a day it is no news. */
	notice: { isMissed: false, isListed: true, keepsChannels: false, lifetime: DAY_MS },
	/** News in chat of who answers a lead. */
	remark: { isMissed: false, isListed: false, keepsChannels: true, lifetime: HOUR_MS },
	/** A mail to a visitor, which `smtp.ts` sends within an hour or not at all. It is kept for a day at most, since it may come back. */
	confirmation: { isMissed: false, isListed: true, keepsChannels: true, lifetime: DAY_MS },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** Returns the condition for entries of such kinds. */
export const ofKinds = (isSuch: (kind: Kind) => boolean) =>
	`kind IN (${Object.entries(kinds).flatMap(([name, kind]) => (isSuch(kind) ? `'${name}'` : []))})`;
