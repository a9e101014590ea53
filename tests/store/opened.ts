import { beforeEach } from 'vitest';
import { type DeliveryResult, type LeadStore, type NewEntry, openStore, type StorePlace } from '../../src/store/store.ts';
import { askIn } from './ask.ts';
import { announced, triedIn } from './entries.ts';

/** Returns the place of a database that is empty. */
export type NewPlace = () => Promise<StorePlace>;

/** The empty store of the test that runs, as two instances have it open. */
export let [store, other] = [] as unknown as [LeadStore, LeadStore];
let place: StorePlace;
export const ask = (statement: string) => askIn(place, statement);

export function openForEach(newPlace: NewPlace): void {
	beforeEach(async () => {
		place = await newPlace();
		[store, other] = [await openStore(place), await openStore(place)];
		return async () => {
			for (const opened of [store, other]) await opened[Symbol.asyncDispose]();
		};
	});
}

/** Moves all times of the database back by so many milliseconds or, if negative, ahead, as a clock that was set does. */
export async function pass(time: number): Promise<void> {
	for (const change of [
		`lead_entries SET received_at = received_at - ${time}, told_at = told_at - ${time}, once_ends_at = once_ends_at - ${time}, ends_at = ends_at - ${time}`,
		`lead_deliveries SET since = since - ${time}, due_at = due_at - ${time}`,
		...['lead_traits', 'lead_lessons'].map((table) => `${table} SET learnt_at = learnt_at - ${time}`),
	])
		await ask(`UPDATE ${change}`);
}

export const aged = (age: number) => ({ receivedAt: Date.now() - age });

export const tried = (result: DeliveryResult, entry?: Partial<NewEntry>) => triedIn(store, result, entry);

export const marked = async (state: 'sent' | 'parked', entry?: Partial<NewEntry>) =>
	(await tried({ state, reason: '550' }, entry)).id;

/** Announces everything in quarantine, as if so long ago. */
export async function tell(ago = 0): Promise<void> {
	await other.markNotified(await announced(store));
	await pass(ago);
}
