import { ownHosts } from '../facts/load.ts';
import { faultsOf } from '../api/honeypot.ts';
import { shortId } from '../channels/message.ts';
import { traitsToLearn } from '../outbox/traits.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';
import { type Call, Failure } from './command.ts';
import { channelsIn, findEntry, leadIn, namesOf, SOON } from './entries.ts';

/** `spam ID…` */
export const spam = (call: Call, ids: string[]) =>
	each(call, ids, 'spam', async (entry, store) => {
		if (entry.kind !== 'lead') throw new Failure(`It is no lead: it is a ${entry.kind}.`);
		const isHeld = entry.state === 'quarantined';
		const place = isHeld ? 'It stays in quarantine, and no notice names it.' : 'What was delivered lies with the channels.';
		return `Marked as spam. ${place} ${await train(entry, 'spam', store)}`;
	});

/** `release ID…` */
export const release = (call: Call, ids: string[]) =>
	each(call, ids, 'released', async (entry, store) => {
		const { id, kind, state, spam } = entry;
		if (state !== 'quarantined') {
			if (kind === 'lead' && spam && spam.verdict !== 'clear')
				return `Noted that it is no spam. It was not held. ${await train(entry, 'clear', store)}`;
			throw new Failure(`It is not in quarantine, and nothing took it for spam: it is ${state}.`);
		}
		const names = namesOf(channelsIn(call));
		const faults = faultsOf(leadIn(entry));
		if (faults.length > 0)
			throw new Failure(
				`It is not a lead that could be delivered: ${faults.join(', ')}.\nRead what there is of it with ${call.program} show ${shortId(id)}`,
			);
		// First, so that it is not delivered as one that looks like spam.
		const remembered = await train(entry, 'clear', store);
		if (!(await store.release(id, names))) throw new Failure('It is not in quarantine any more.');
		return `Released to ${names.join(', ')}. ${SOON} ${remembered}`;
	});

/**
 * Does the same with each lead, and goes on if it cannot be done with one.
 *
 * @param name of the ids for programs
 * @param work returns what was done, for people
 */
async function each(
	call: Call,
	given: string[],
	name: string,
	work: (entry: StoredEntry, store: LeadStore) => Promise<string>,
): Promise<void> {
	await using store = await call.openStore();
	const [done, failed, said]: [string[], { id: string; reason: string }[], string[]] = [[], [], []];
	for (const id of given)
		try {
			const entry = await findEntry(store, id);
			said.push(await work(entry, store));
			done.push(entry.id);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			said.push(error.message);
			failed.push({ id, reason: error.message });
		}
	const text = given.length > 1 ? said.map((words, index) => `${given[index]}: ${words}`).join('\n') : said[0]!;
	if (done.length === 0) throw new Failure(text);
	call.print({ [name]: done, failed }, text, failed.length === 0);
}

/** Remembers what the operator says. @returns what comes of it, for the operator */
async function train(entry: StoredEntry, verdict: 'spam' | 'clear', store: LeadStore): Promise<string> {
	const traits = traitsToLearn(store.secret, leadIn(entry), ownHosts);
	await store.train(entry.id, { verdict, signals: entry.spam?.signals ?? [] }, traits);
	if (traits.length === 0) return 'There is nothing in it to know others by.';
	return `Leads with the same message, sender or links ${verdict === 'spam' ? 'are held' : 'are not held'} from now on.`;
}
