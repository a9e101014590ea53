import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { storePlace } from '../command.ts';
import { shownDelivery } from '../entries.ts';
import { paths } from '../../facts/links.ts';
import { targetsOf } from '../../channels/webhook.ts';
import { greet } from '../../channels/smtp.ts';
import { sourceHash } from '../../lead/email-address.ts';
import { testLead } from '../../lead/words.ts';
import { roughTime } from '../../lead/values.ts';
import { type Checks, type Examination, fault, type Finding, findingOf, ok, skipped, warning } from './examination.ts';

/** Looks at the mail server, up to the login. Sends no mail. */
async function mailServer({ settings: { SMTP_URL: smtp } }: Examination): Promise<Finding> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	return fault(
		greeting.reason,
		'See to it that SMTP_URL has the right host, port, user and password, and that the server offers STARTTLS.',
	);
}

/** Before 3.51.3 SQLite has the WAL-reset bug, which can lose changes when a checkpoint meets a writer. */
function sqlite({ settings }: Examination): Finding {
	if (storePlace(settings).kind === 'postgres') return skipped('the store is on PostgreSQL');
	const { sqlite: version = '0', node } = process.versions;
	const found = `SQLite ${version} in Node.js ${node}`;
	return version.localeCompare('3.51.3', 'en', { numeric: true }) >= 0
		? ok(found)
		: warning(found, 'Run the server on a Node.js with SQLite 3.51.3 or later: before, a rare fault could damage the file.');
}

/** In milliseconds: a delivery that waits longer is a warning. */
const LONG = 3_600_000;

async function waiting({ store, leads }: Examination): Promise<Finding> {
	const { waiting: count, oldestWaiting } = await (await store).count();
	if (oldestWaiting === null) return ok('nothing waits');
	const age = Date.now() - oldestWaiting;
	const found = `${count} waiting, the oldest for ${roughTime(Math.max(1, Math.round(age / 1000)))}`;
	return age > LONG ? warning(found, `See why: ${leads} list --state waiting`) : ok(found);
}

async function parked({ store, leads }: Examination): Promise<Finding> {
	const { parked: count } = await (await store).count();
	if (count === 0) return ok('none');
	return fault(`${count} given up`, `See why: ${leads} list --state parked. Once that is mended: ${leads} retry --parked`);
}

/** In milliseconds: the pause between looks for the delivery, and the time before giving up. */
const PAUSE = 250;
const PATIENCE = 30_000;

/** Follows one lead all the way. */
async function sendLead(examination: Examination): Promise<Finding> {
	const { ask, lead, settings } = examination;
	const crms = targetsOf(settings).filter(({ format }) => format.leadsOnly);
	const contacts = crms.map(({ format }) => `; ${format.name} makes a contact of it`).join('');
	if (!lead) return skipped(`--lead sends one that is marked as a test${contacts}`);
	const source = `doctor ${randomUUID().slice(0, 8)}`;
	const headers = { 'content-type': 'application/json' };
	const { status } = await ask(paths.submitLead, { method: 'POST', headers, body: JSON.stringify(testLead(source)) });
	if (status !== 200) return fault(`answered ${status}, not 200`, 'The reason is in the server’s log.');
	const finding = await outcomeOfLead(source, examination);
	return { ...finding, found: finding.found + contacts };
}

/** Reads from the store what became of the lead, if these settings lead to the server’s store. */
async function outcomeOfLead(source: string, { leads, ...examination }: Examination): Promise<Finding> {
	const store = await examination.store.catch(findingOf);
	if ('outcome' in store)
		return store.outcome === 'skipped' ? ok(`answered 200; look for the lead from “${source}” where leads arrive`) : store;
	const end = Date.now() + PATIENCE;
	for (;;) {
		const [entry] = await store.list({ source: sourceHash(store.secret, source), limit: 1 });
		if (entry === undefined)
			return warning('answered 200, and is not in this store', 'Run this with the settings of the server that was asked.');
		if (entry.state !== 'waiting' || Date.now() > end) {
			const said = entry.deliveries.map(shownDelivery).map(({ channel, state, lastError }) => [channel, state, lastError]);
			const found = `answered 200, ${entry.state}: ${said.map((words) => words.filter(Boolean).join(' ')).join(', ')}`;
			return entry.state === 'delivered' ? ok(found) : fault(found, `See more: ${leads} show ${entry.id}`);
		}
		await setTimeout(PAUSE);
	}
}

/** Checks of what is behind the API, by the server's settings. */
export const backendChecks: Checks = {
	'mail: server': mailServer,
	'store: SQLite': sqlite,
	'store: waiting': waiting,
	'store: parked': parked,
	lead: sendLead,
};
