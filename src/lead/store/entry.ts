/** What is to be saved. */
export interface NewEntry {
	/** UUID. */
	id: string;
	/** `lead`: a visitor's. `notice`: ours, to the sales team. `confirmation`: ours, to a visitor. */
	kind: 'lead' | 'notice' | 'confirmation';
	receivedAt: number;
	/** Whose it is, for erasure; null for a notice. */
	email: string | null;
	/** Where the lead comes from, for whoever asks for all from there; null where that is not said. */
	source: string | null;
	/** Id of the API key it was sent with, which counts it. */
	apiKey?: string | undefined;
	/** JSON. */
	payload: string;
	/** Kept aside, without channels; `releasable` if it could be delivered as it is, once the operator releases it. */
	quarantine?: 'releasable' | 'faulty';
	/** The network that a quarantined one came from, where that is known. Only a keyed hash of it is kept, until it is released. */
	network?: string | undefined;
	/** Names of the channels that must get it. */
	channels: string[];
	/** What this entry may happen only once for. */
	once: Once | undefined;
}

/** A claim on being the only one. Both texts are keyed hashes: nothing of a lead can be read from them. */
export interface Once {
	/** Names the claim. */
	key: string;
	/** What was claimed: another entry with the same key and another fingerprint is a conflict. */
	fingerprint: string;
	/** How long the claim stands. */
	lifetime: number;
}

/** What became of it. */
export type Insertion =
	/** It is saved. */
	| 'inserted'
	/** The same was saved before: nothing to do. */
	| 'duplicate'
	/** Another one was saved with this key. */
	| 'conflict'
	/** One with this key is being saved at this moment. */
	| 'in-flight';

/** Of an entry as a whole: `delivered` when every channel has it, `parked` when one is parked, else `waiting`. */
export type EntryState = 'waiting' | 'delivered' | 'parked' | 'quarantined';

/** How an entry stands, for the operator. */
export interface StoredEntry extends Pick<NewEntry, 'id' | 'kind' | 'receivedAt' | 'payload'> {
	state: EntryState;
	deliveries: StoredDelivery[];
}

export type DeliveryState = 'waiting' | 'sent' | 'parked';

/** How a delivery stands, for the operator. */
export interface StoredDelivery {
	channel: string;
	state: DeliveryState;
	tries: number;
	/** When it is tried next; null when it is not. */
	dueAt: number | null;
	/** When it was sent; null when it is not. */
	sentAt: number | null;
	/** Why the last try that failed did, even if a later one worked, or what was noted of the one that worked; null when there is neither. */
	lastError: string | null;
}
