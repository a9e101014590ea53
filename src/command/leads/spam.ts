import { ArgumentError, failure, type Report } from '../command.ts';
import { shortTime, table } from '../printing.ts';
import { ownHosts } from '../../facts/load.ts';
import { faultsOf } from '../../lead/intake/honeypot.ts';
import { type ReceivedLead, shortId } from '../../lead/message/message.ts';
import { truncate } from '../../lead/message/truncate.ts';
import { marksOf, traitsToLearn } from '../../lead/spam/traits.ts';
import type { StoredEntry } from '../../lead/store/store.ts';
import type { StoreContext } from './context.ts';
import { findEntry } from './entries.ts';
import { SOON } from './retry.ts';

/** The most leads that `spam --list` shows. */
const SHOWN = 200;
/** In UTF-16 code units: how much of a message it shows. */
const EXCERPT = 60;

/** `spam ID…`, `spam --list` */
export async function spam(context: StoreContext): Promise<Report> {
	const { operands = [], values, program } = context;
	if ((values.list === true) === operands.length > 0)
		throw new ArgumentError(`Mark leads as spam, or list what is remembered:\n${program} spam ID…\n${program} spam --list`);
	return values.list ? listRemembered(context) : each(context, 'spam', markSpam);
}

/** `release ID…` */
export const release = (context: StoreContext) => each(context, 'released', releaseOne);

/** The result for one lead: why it could not be done, or what was done. */
type Result = { failed: string } | { id: string; text: string };

/** Does the same with each lead, and goes on if it cannot be done with one. */
async function each(context: StoreContext, name: string, work: (entry: StoredEntry, context: StoreContext) => Promise<Result>) {
	const results: { given: string; result: Result }[] = [];
	for (const given of context.operands ?? []) {
		const entry = await findEntry(context.leads, given);
		results.push({ given, result: typeof entry === 'string' ? { failed: entry } : await work(entry, context) });
	}
	const failed = results.flatMap(({ given, result }) => ('failed' in result ? [{ id: given, reason: result.failed }] : []));
	const lineOf = ({ given, result }: (typeof results)[number]) => {
		const text = 'failed' in result ? result.failed : result.text;
		return results.length > 1 ? `${given}: ${text}` : text;
	};
	const text = results.map(lineOf).join('\n');
	if (failed.length === results.length) return failure(text);
	const ids = results.flatMap(({ result }) => ('id' in result ? [result.id] : []));
	return { done: failed.length === 0, data: { [name]: ids, failed }, text };
}

async function markSpam(entry: StoredEntry, context: StoreContext): Promise<Result> {
	if (entry.kind !== 'lead') return { failed: `It is no lead: it is a ${entry.kind}.` };
	const remembered = await train(entry, 'spam', context);
	const delivered =
		entry.state === 'quarantined'
			? 'It stays in quarantine, and no notice names it.'
			: 'What was delivered lies with the channels.';
	return { id: entry.id, text: `Marked as spam. ${delivered} ${remembered}` };
}

async function releaseOne(entry: StoredEntry, context: StoreContext): Promise<Result> {
	const { leads, channels, program } = context;
	if (entry.state !== 'quarantined') {
		if (entry.kind !== 'lead' || !entry.spam || entry.spam.verdict === 'clear')
			return { failed: `It is not in quarantine, and nothing took it for spam: it is ${entry.state}.` };
		return { id: entry.id, text: `Noted that it is no spam. It was not held. ${await train(entry, 'clear', context)}` };
	}
	if (channels.length === 0)
		return { failed: 'There is no channel to release it to: set SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX.' };
	const faults = faultsOf(receivedFrom(entry).lead);
	if (faults.length > 0)
		return {
			failed: `It is not a lead that could be delivered: ${faults.join(', ')}.\nRead what there is of it with ${program} show ${shortId(entry.id)}`,
		};
	// First, so that it is not delivered as one that looks like spam.
	const remembered = await train(entry, 'clear', context);
	const names = channels.map(({ name }) => name);
	if (!(await leads.release(entry.id, names))) return { failed: 'It is not in quarantine any more.' };
	return { id: entry.id, text: `Released to ${names.join(', ')}. ${SOON} ${remembered}` };
}

/** Remembers what the operator says. @returns what comes of it, for the operator */
async function train(entry: StoredEntry, verdict: 'spam' | 'clear', { leads }: StoreContext): Promise<string> {
	const traits = traitsToLearn(leads.secret, receivedFrom(entry).lead, ownHosts);
	await leads.train(entry.id, { verdict, signals: entry.spam?.signals ?? [] }, traits);
	if (traits.length === 0) return 'There is nothing in it to know others by.';
	return `Leads with the same message, sender or links ${verdict === 'spam' ? 'are held' : 'are not held'} from now on.`;
}

async function listRemembered({ leads }: StoreContext): Promise<Report> {
	const found = await leads.list({ trained: true, limit: SHOWN });
	const now = Date.now();
	const remembered = found.map((entry) => {
		const { lead } = receivedFrom(entry);
		const { message = '' } = lead;
		return {
			id: entry.id,
			receivedAt: new Date(entry.receivedAt).toISOString(),
			verdict: entry.spam?.verdict,
			knownBy: marksOf(lead, ownHosts),
			message: truncate(message, EXCERPT),
		};
	});
	const rows = remembered.map(({ id, verdict, knownBy, message }, index) => [
		shortId(id),
		shortTime(found[index]!.receivedAt, now),
		verdict ?? '',
		knownBy.join(' '),
		message.replaceAll('\n', ' '),
	]);
	const text =
		rows.length === 0
			? 'Nothing is remembered: no lead was marked as spam or released.'
			: table(['Lead', 'Received UTC', 'Says', 'Known by', 'Message'], rows);
	return { done: true, data: { remembered }, text };
}

const receivedFrom = ({ payload }: StoredEntry) => JSON.parse(payload) as ReceivedLead;
