import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { release as releaseLead, retry as retryOver, train } from '../api/verdict.ts';
import { channelsFor, namesOf, sendWithin, TRY_TIMEOUT_MS } from '../channels/channel.ts';
import { messageOf, receivedNow, referenceOf } from '../channels/message.ts';
import type { Holdings, LeadStore, StoredEntry, StoreSetting } from '../store/store.ts';
import * as rule from '../server/settings/rules.ts';
import { copyStore } from '../store/copy.ts';
import { testLead } from '../lead/words.ts';
import { duration, LONGEST_KEPT, textLike } from '../lead/values.ts';
import { type Call, Failure, optionBy, type Program, storePlace, valueBy, wrongCall } from './command.ts';
import { channelsIn, findEntry, list, show, states } from './entries.ts';
import { dimensions, exportLeads, exportPerson, stats } from './export.ts';
import { counted, table } from './printing.ts';

const listLimit = textLike(/^[1-9]\d{0,5}$/, 'a number', '--limit 50').transform(Number);
const readEmail = valueBy(textLike(/@/, 'an email address', 'ana@clinicasol.example'));

export const leads: Program = {
	purpose: 'Looks after leads',
	operands: 'ID is the beginning or the end of an id, as long as only one has it.',
	describe(program, call) {
		program
			.command('list')
			.description('The leads that are kept, newest first, with their states.')
			.addOption(new Option('--state <STATE>', 'Only leads in this state.').choices(states))
			.option('--source <SOURCE>', 'Only leads from this page or campaign, for example spring.')
			.option('--long', 'With name, clinic and email.')
			.addOption(optionBy('--limit <N>', 'How many leads at most.', listLimit, '50'))
			.option('--before <ID>', 'Only leads that are older than this one.')
			.action((options) => list(call, options));
		program
			.command('show <ID>')
			.description('One lead with all that is kept of it.')
			.action((id) => show(call, id));
		program
			.command('retry [ID...]')
			.description('Try now to deliver leads, over the channels of these settings.')
			.option('--parked', 'All that are not tried again by themselves: parked, or waiting for a channel that is gone.')
			.option('--waiting', 'All that wait for their next try, each over the channel that it waits for.')
			.action((ids, { parked, waiting }) => {
				if ([parked, waiting, ids.length > 0].filter(Boolean).length !== 1)
					throw wrongCall(call, 'Retry some leads, or all of one state', 'retry ID…', 'retry --parked', 'retry --waiting');
				return ids.length > 0 ? retry(call, ids) : retryAll(call, parked === true);
			});
		program
			.command('dismiss <ID...>')
			.description('Close deliveries that are parked: they alert no more, and are kept as long as delivered ones.')
			.action((ids) => dismiss(call, ids));
		program
			.command('release <ID...>')
			.description('Deliver leads that are in quarantine, and remember that leads like them are not spam.')
			.action((ids) => release(call, ids));
		program
			.command('spam [ID...]')
			.description('Mark leads as spam, so that leads like them are quarantined. Or list what is remembered.')
			.option('--list', 'The leads that were marked or released, and what is remembered of them.')
			.action((ids, options) => {
				if ((options.list === true) === ids.length > 0)
					throw wrongCall(call, 'Mark leads as spam, or list what is remembered', 'spam ID…', 'spam --list');
				return options.list ? list(call, { trained: true, limit: 999_999 }) : spam(call, ids);
			});
		program
			.command('export')
			.argument('[EMAIL]', '', readEmail)
			.description('All leads as JSON Lines, or with --csv for a spreadsheet. Or all that is kept of a person, to send to them.')
			.option('--csv', 'Comma-separated values that no spreadsheet takes for formulas.')
			.action((email, { csv }) => (email === undefined ? exportLeads(call, csv) : exportPerson(call, email, csv)));
		program
			.command('stats')
			.description('How many leads came, of those that are kept.')
			.addOption(optionBy('--since <TIME>', 'Only leads that came within this time.', duration(LONGEST_KEPT, '30d'), '30d'))
			.addOption(new Option('--by <WHAT>', 'What to count them by.').choices(dimensions).default('day'))
			.action(({ by, since }) => stats(call, by, since));
		program
			.command('erase')
			.argument('<EMAIL>', '', readEmail)
			.description('Delete all that is kept of one person.')
			.option('--yes', 'Do not ask.')
			.action((email, { yes }) => erase(call, email, yes));
		program
			.command('backup <FILE>')
			.description('Copy the store to a new file while the server runs: leads, and their encryption keys.')
			.action((file) => backup(call, file));
		program
			.command('copy')
			.description('Copy the whole store to an empty one of either kind, while no server uses it.')
			.requiredOption('--to <URL>', 'The new store, written as in LEAD_STORE.', valueBy(rule.store))
			.action(({ to }) => copy(call, to));
		program
			.command('test')
			.description('Send a lead marked as a test to each channel, and say how it went.')
			.option('--crm', 'To a CRM too, which makes a contact of it.')
			.action(({ crm }) => sendTest(call, crm));
	},
};

/** The outbox looks for due deliveries at least this often. */
const SOON = 'A running server tries within 15 seconds, another when it starts.';

const retry = (call: Call, ids: string[]) =>
	each(call, ids, 'retried', async (entry, store) => {
		if (entry.state === 'quarantined')
			throw new Failure(`It is in quarantine, untried. If it is real, run ${call.program} release ${referenceOf(entry.id)}`);
		const { due } = await retryOver(entry, channelsIn(call), store);
		if (due === 0) throw new Failure('Every channel has it, or tries it now: there is nothing to retry.');
		return dueNow(due);
	});

const dueNow = (due: number) => `Due now: ${counted(due, 'delivery', 'deliveries')}. ${SOON}`;

async function retryAll(call: Call, parked: boolean): Promise<void> {
	await using store = await call.openStore();
	const channels = channelsIn(call);
	const { due: retried, left } = await (parked ? retryOver('stuck', channels, store) : store.hurry(namesOf(channels)));
	const said = [
		retried > 0 && dueNow(retried),
		left.length > 0 &&
			`What waits for ${left.join(', ')} is due now as well, because a running server may have that channel. These settings do not.\nIf it still waits in a minute, run ${call.program} retry --parked: it then goes over the channels of these settings.`,
	].filter(Boolean);
	call.print({ retried, left }, said.join('\n') || (parked ? 'Nothing is parked.' : 'Nothing waits for a later try.'));
}

const dismiss = (call: Call, ids: string[]) =>
	each(call, ids, 'dismissed', async ({ id }, store) => {
		const channels = await store.dismiss(id);
		if (channels.length === 0)
			throw new Failure(`No delivery of it is parked, so none can be closed. See ${call.program} show ${referenceOf(id)}`);
		return `Closed for ${channels.join(', ')}. Unless something of it waits, it is deleted when LEAD_RETENTION is over.`;
	});

const spam = (call: Call, ids: string[]) =>
	each(call, ids, 'spam', async (entry, store) => {
		if (entry.kind !== 'lead') throw new Failure(`It is no lead: it is a ${entry.kind}.`);
		const isHeld = entry.state === 'quarantined';
		const place = isHeld ? 'It stays in quarantine, and no notice names it.' : 'What was delivered stays in the channels.';
		return `Marked as spam. ${place} ${remembered((await train(entry, 'spam', store)).known, 'are quarantined')}`;
	});

const release = (call: Call, ids: string[]) =>
	each(call, ids, 'released', async (entry, store) => {
		const { id, kind, state, spam } = entry;
		if (state !== 'quarantined') {
			if (kind === 'lead' && spam && spam.verdict !== 'clear')
				return `Noted that it is not spam. It was not in quarantine. ${remembered((await train(entry, 'clear', store)).known, 'are not quarantined')}`;
			throw new Failure(`There is nothing to release: it is ${state}, and no verdict calls it spam.`);
		}
		const { faults, known, released } = await releaseLead(entry, channelsIn(call), store);
		if (faults.length > 0)
			throw new Failure(
				`It is not a lead that could be delivered: ${faults.join(', ')}.\nRead what there is of it with ${call.program} show ${referenceOf(id)}`,
			);
		if (!released) throw new Failure('It is not in quarantine any more.');
		return `Released to ${released.join(', ')}. ${SOON} ${remembered(known, 'are not quarantined')}`;
	});

/** Returns what it did, in words. */
type Work = (entry: StoredEntry, store: LeadStore) => Promise<string>;

/** Works on each lead, and goes on if the work on one fails. @param name of the ids in JSON */
async function each(call: Call, given: string[], name: string, work: Work): Promise<void> {
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

const remembered = (known: boolean, what: string) =>
	known
		? `Leads with the same message, sender or links ${what} from now on.`
		: 'It has no long message, sender or link of its own, so other leads are judged as before.';

/** `erase EMAIL`. Erases even without an entry: hashes that remember a person outlive their entries. */
export async function erase(call: Call, email: string, yes = false): Promise<void> {
	await using store = await call.openStore();
	const kept = await store.countOf(email);
	const isKnown = Object.values(kept).some((count) => count > 0);
	if (isKnown && !yes) await call.confirm(`Delete ${describe(kept)} of ${email} for good?`, `erase ${email} --yes`);
	const gone = await store.erase(email);
	// The files may still have rows that were deleted earlier.
	const isClean = await store.scrub();
	const copies = store.file?.copies() ?? [];
	const scrubbed = isClean && copies.length === 0;
	const again = `run ${call.program} erase ${email} again`;
	const left = isClean
		? `Copies from before an upgrade hold what the store held then: ${copies.join(', ')}.\nDelete them, then ${again}.`
		: 'The files of the store still hold what was deleted: others use the store all the time, or its user does not own the tables.\n' +
			`Wait for a quiet moment, end what reads the store (a backup, a copy, a database tool), or name their owner in LEAD_STORE. Then ${again}.`;
	if (!isKnown) throw new Failure(scrubbed ? `Nothing is kept of ${email}.` : `There is no entry of ${email}. ${left}`);
	const delivered = 'Copies that were delivered are still in the channels: delete them there too.';
	const deleted = `Deleted ${describe(gone)} of ${email}.`;
	const counts = { erased: gone.entries, erasedKeys: gone.keys, erasedFingerprints: gone.fingerprints };
	call.print({ ...counts, scrubbed }, `${deleted} ${scrubbed ? delivered : left}`, scrubbed);
}

/** Names API keys and fingerprints only if there are some: few people have one. */
function describe({ entries, keys, fingerprints }: Holdings): string {
	const past = fingerprints > 0 && counted(fingerprints, 'fingerprint of deleted entries', 'fingerprints of deleted entries');
	const parts = [counted(entries, 'entry', 'entries'), keys > 0 && counted(keys, 'API key'), past];
	return parts.filter(Boolean).join(' and ');
}

async function backup(call: Call, name: string): Promise<void> {
	const store = storePlace(call.settings());
	if (store.kind === 'postgres')
		throw new Failure(
			'LEAD_STORE is a PostgreSQL database, which has tools of its own for this. Copy it with\n' +
				'umask 077 && pg_dump --format=custom --file=FILE and the URL in LEAD_STORE, and bring it back with pg_restore.',
		);
	const { backUpSqlite } = await import('../store/sqlite.ts');
	const file = resolve(name);
	await backUpSqlite(resolve(store.path), file);
	const bytes = statSync(file).size;
	const said = `Copied to ${file} (${bytes.toLocaleString('en')} bytes). It holds every lead and its encryption key: keep it where only you can read it.`;
	call.print({ file, bytes }, `${said}\nThe settings are not in it: keep them as well.`);
}

async function copy(call: Call, to: StoreSetting): Promise<void> {
	if (to.kind === 'none') throw wrongCall(call, 'Leads are copied to a store', 'copy --to sqlite:FILE', 'copy --to postgres://…');
	const copied = await copyStore(storePlace(call.settings()), to);
	const counts = Object.entries(copied).map(([what, count]) => `${count} ${what}`);
	const said = `Copied the secret, ${counts.join(', ')}: the new store has as many. Set LEAD_STORE to it before you start the server.`;
	call.print({ copied }, `${said}\nLet no server use the old store any more: it would deliver again what waits there.`);
}

/** `test`: tries each channel once, without the store. */
async function sendTest(call: Call, crm = false): Promise<void> {
	const { LEAD_LANGUAGE: language, LEAD_TIME_ZONE: timeZone } = call.settings();
	const received = receivedNow(testLead('operator test'));
	const channels = channelsFor(channelsIn(call), received.lead);
	const message = messageOf(received, { language, timeZone });
	const tried = channels.filter(({ leadsOnly }) => crm || !leadsOnly);
	const leftOut = namesOf(channels.filter((channel) => !tried.includes(channel)));
	const tries = tried.map(async (channel) => {
		const sent = await sendWithin(TRY_TIMEOUT_MS, channel, message);
		return { channel: channel.name, ok: sent.ok, reason: sent.ok ? sent.note : sent.reason };
	});
	const results = await Promise.all(tries);
	const rows = results.map(({ channel, ok, reason }) => [channel, ok ? 'ok' : 'failed', reason]);
	const remedy = 'To try it all the same, add --crm, and delete that contact there.';
	const notes = leftOut.map((name) => `\n\n${name} was left out: it makes a contact of each lead. ${remedy}`);
	const text = table(['Channel', 'Result', 'Reason'], rows) + notes.join('');
	const isDone = results.every(({ ok }) => ok);
	call.print({ id: message.id, results, leftOut }, text, isDone);
}
