import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { deliveryData } from '../command/leads/entries.ts';
import { formatFor } from '../lead/channels/webhook.ts';
import { greet } from '../lead/channels/smtp.ts';
import { sourceHash } from '../lead/keyed-hash.ts';
import { openExistingStore } from '../lead/store/index.ts';
import type { StoredEntry } from '../lead/store/store.ts';
import { testLead } from '../lead/test-lead.ts';
import { paths } from '../facts/links.ts';
import { type Check, type Examination, fault, type Finding, ok, skipped, warning } from './check.ts';

/** Looks at the mail server, up to the login. Sends no mail. */
async function mailServer({ settings: { smtp } }: Examination): Promise<Finding> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	return fault(
		greeting.reason,
		'See to it that SMTP_URL has the right host, port, user and password, and that the server offers STARTTLS.',
	);
}

/** In milliseconds: the pause between looks for the delivery, and the time before giving up. */
const PAUSE = 250;
const PATIENCE = 30_000;

async function sendLead(examination: Examination): Promise<Finding> {
	if (!examination.lead) return skipped(`--lead sends one that is marked as a test${contactsIn(examination)}`);
	const source = `doctor ${randomUUID().slice(0, 8)}`;
	const headers = { 'content-type': 'application/json' };
	const { status } = await examination.ask(paths.submitLead, { method: 'POST', headers, body: JSON.stringify(testLead(source)) });
	if (status !== 200) return fault(`answered ${status}, not 200`, 'The reason is in the server’s log.');
	const finding = await outcomeOfLead(source, examination);
	return { ...finding, found: finding.found + contactsIn(examination) };
}

/** Tells that a CRM makes a contact of a test too, if the settings have one. */
const contactsIn = ({ settings: { webhooks } }: Examination) =>
	webhooks.targets
		.map(({ url, format }) => formatFor(url, format))
		.map(({ name, leadsOnly }) => (leadsOnly ? `; ${name} makes a contact of it` : ''))
		.join('');

/** Reads from the store what became of the lead, if these settings lead to the server’s store. */
async function outcomeOfLead(source: string, { settings: { store: place }, leads: program }: Examination): Promise<Finding> {
	if (place.kind === 'none' || (place.kind === 'sqlite' && !existsSync(place.path)))
		return ok(`answered 200; look for the lead from “${source}” where leads arrive`);
	await using store = await openExistingStore(place);
	const end = Date.now() + PATIENCE;
	for (;;) {
		const [entry] = await store.list({ source: sourceHash(store.secret, source), limit: 1 });
		if (entry === undefined)
			return warning('answered 200, and is not in this store', 'Run this with the settings of the server that was asked.');
		if (entry.state !== 'waiting' || Date.now() > end) return findingOn(entry, program);
		await setTimeout(PAUSE);
	}
}

function findingOn({ id, state, deliveries }: StoredEntry, program: string): Finding {
	const said = deliveries.map(deliveryData).map(({ channel, state: each, lastError }) => [channel, each, lastError]);
	const found = `answered 200, ${state}: ${said.map((words) => words.filter(Boolean).join(' ')).join(', ')}`;
	return state === 'delivered' ? ok(found) : fault(found, `See more: ${program} show ${id}`);
}

export const mailCheck: Check = { name: 'mail: server', look: mailServer };

/** Follows one lead all the way. */
export const leadCheck: Check = { name: 'lead', look: sendLead };
