import { release as releaseLead, train } from '../api/verdict.ts';
import { shortId } from '../channels/message.ts';
import type { LeadStore, StoredEntry } from '../store/store.ts';
import { type Call, Failure } from './command.ts';
import { channelsIn, findEntry, namesOf, SOON } from './entries.ts';

/** `spam ID…` */
export const spam = (call: Call, ids: string[]) =>
	each(call, ids, 'spam', async (entry, store) => {
		if (entry.kind !== 'lead') throw new Failure(`It is no lead: it is a ${entry.kind}.`);
		const isHeld = entry.state === 'quarantined';
		const place = isHeld ? 'It stays in quarantine, and no notice names it.' : 'What was delivered lies with the channels.';
		return `Marked as spam. ${place} ${remembered(await train(entry, 'spam', store), 'are held')}`;
	});

/** `release ID…` */
export const release = (call: Call, ids: string[]) =>
	each(call, ids, 'released', async (entry, store) => {
		const { id, kind, state, spam } = entry;
		if (state !== 'quarantined') {
			if (kind === 'lead' && spam && spam.verdict !== 'clear')
				return `Noted that it is no spam. It was not held. ${remembered(await train(entry, 'clear', store), 'are not held')}`;
			throw new Failure(`It is not in quarantine, and nothing took it for spam: it is ${state}.`);
		}
		const names = namesOf(channelsIn(call));
		const { faults, known, released } = await releaseLead(entry, names, store);
		if (faults.length > 0)
			throw new Failure(
				`It is not a lead that could be delivered: ${faults.join(', ')}.\nRead what there is of it with ${call.program} show ${shortId(id)}`,
			);
		if (!released) throw new Failure('It is not in quarantine any more.');
		return `Released to ${names.join(', ')}. ${SOON} ${remembered(known, 'are not held')}`;
	});

/** Does the same with each lead, and goes on if it cannot be done with one. @param name of the ids @param work returns what it did */
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

/** Says what comes of a verdict. */
const remembered = (known: boolean, what: string) =>
	known ? `Leads with the same message, sender or links ${what} from now on.` : 'There is nothing in it to know others by.';
