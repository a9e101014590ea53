import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import * as z from 'zod';
import { storePlace } from '../command.ts';
import { waitsText } from '../export.ts';
import { timesByWeek } from '../../outbox/upkeep.ts';
import { paths } from '../../facts/links.ts';
import { origin as builtFor, service, version } from '../../facts/load.ts';
import { publicTestKey } from '../../api/authentication.ts';
import { statusSchema } from '../../api/operations.ts';
import { failureOf, TRY_TIMEOUT_MS } from '../../channels/channel.ts';
import { channelsOf } from '../../server/channels.ts';
import { mailboxFault, openMailbox } from '../../channels/imap.ts';
import { receivedNow } from '../../channels/message.ts';
import { greet } from '../../channels/smtp.ts';
import { exampleLead, leadSchema } from '../../lead/lead.ts';
import { DAY_MS, roughTime } from '../../lead/values.ts';
import { CLOCK_ERROR_MS } from '../../store/database.ts';
import type { StoreError } from '../../store/store.ts';
import { type Examination, fault, type Finding, ok, skipped, warning } from './examination.ts';

function isBuiltFor({ origin: { origin, hostname } }: Examination): Finding {
	if (origin === builtFor) return ok(builtFor);
	const found = `the build is for ${builtFor}`;
	if (hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) > 0) return skipped(found);
	return fault(found, `Build again with SITE_URL=${origin}, and deploy that; or ask for ${builtFor}.`);
}

type DocumentAnswer = Awaited<Examination['documents']>[number];

/** The most faults that a finding names. It counts the rest. */
const NAMED = 3;

/** Makes a check of every document. `faultOf` says what is wrong with an answer, or returns undefined. */
const ofEach =
	(good: string, faultOf: (document: DocumentAnswer) => string | undefined, advice: string) =>
	async (examination: Examination) => {
		const documents = await examination.documents;
		const found = documents.map((document) => ({ path: document.path, fault: faultOf(document) }));
		const faults = found.filter(({ fault }) => fault !== undefined).map(({ path, fault }) => `${path}: ${fault}`);
		if (faults.length === 0) return ok(`${documents.length} ${good}`);
		const more = faults.length > NAMED ? ` and ${faults.length - NAMED} more` : '';
		return fault(faults.slice(0, NAMED).join(', ') + more, advice);
	};

const DEPLOY = 'Deploy all of the build that this program belongs to, and let no cache keep what was there before.';

function bytesFault({ content, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string') return answer;
	if (answer.status !== 200) return String(answer.status);
	return answer.body.equals(content) ? undefined : 'other bytes';
}

const DECLARE = 'Let the host send what the build declares: handbook/hosts.md says in which file that is for yours.';

function headersFault({ headers, answer }: DocumentAnswer): string | undefined {
	if (typeof answer === 'string' || answer.status !== 200) return undefined;
	const faults = Object.entries(headers).flatMap(([name, value]) => {
		const sent = answer.headers.get(name);
		// Hosts add to Vary for the encodings that they have.
		if (name === 'vary' || plain(sent) === plain(value)) return [];
		return sent === null ? `no ${name}` : `${name} is ${sent}`;
	});
	return faults.length === 0 ? undefined : faults.join(' and ');
}

/** Removes differences that change nothing: a media type has several spellings (RFC 9110 section 8.3.1). */
const plain = (value: string | null) =>
	value?.toLowerCase().replaceAll(/["\s]/g, '').replace('text/javascript', 'application/javascript');

async function unknownAddress({ notFound, ask }: Examination) {
	const { status, body } = await ask(`/${randomUUID()}`);
	const advice = `Let the host answer 404 with /${notFound.file} where there is no document.`;
	if (status !== 404) return fault(`answered ${status}, not 404`, `${advice} Search engines index the rest.`);
	return body.equals(notFound.content) ? ok('404 with our page') : warning('404 with another page than ours', advice);
}

/** Advice where an answer of the API is not ours. */
const PASS = 'Let host and proxy pass requests below /api/ on as they are, and answers back as they are.';

const exactly = z.strictObject(statusSchema.shape);

async function status({ ask }: Examination): Promise<Finding> {
	const { status: code, body } = await ask(paths.getStatus);
	if (code !== 200) return fault(`answered ${code}`, PASS);
	const { data } = exactly.safeParse(await new Response(body).json().catch(() => undefined));
	if (data === undefined)
		return fault(`not exactly ${Object.keys(exactly.shape).join(', ')}: ${body.toString().slice(0, 200)}`, PASS);
	if (data.version === version && data.service === service.identifier) return ok(version);
	const found = `${data.service} ${data.version} runs, and ${service.identifier} ${version} was built`;
	return fault(found, 'Deploy server or function of this build too, and start it again.');
}

/** Sends a body to the leads’ address that no server takes for a lead, and expects this status and media type. */
const answered =
	(wanted: string, contentType: string, body: string, own: Record<string, string> = {}) =>
	async ({ ask, origin }: Examination): Promise<Finding> => {
		const headers = { 'content-type': contentType, origin: origin.origin, ...own };
		const answer = await ask(paths.submitLead, { method: 'POST', headers, body });
		if (answer.status === 429)
			return warning('429: this address has sent too much', 'Wait as long as LEAD_RATE_LIMIT says, and look again.');
		const found = `${answer.status} as ${answer.headers.get('content-type')}`;
		const advice = answer.status === 503 ? 'Leads are refused. The log of the server or function says why.' : PASS;
		return found.startsWith(wanted) ? ok(found) : fault(`${found}, not ${wanted}`, advice);
	};

const FORM = 'application/x-www-form-urlencoded';
const withTestKey = { authorization: `Bearer ${publicTestKey}` };

/** Looks at the mail server, up to the login. Sends no mail. */
async function mailServer({ settings: { SMTP_URL: smtp } }: Examination): Promise<Finding> {
	if (smtp === undefined) return skipped('no SMTP_URL in these settings');
	const greeting = await greet(smtp);
	if (greeting.ok) return ok('it greets, and takes our login and TLS as SMTP_URL has them');
	const advice =
		'Check host, port, user and password in SMTP_URL: smtps:// is for port 465, smtp:// for the others. On another machine the server has to ' +
		'offer STARTTLS, with a certificate for that host that this machine trusts. handbook/channels.md says how to trust your own.';
	return fault(greeting.reason, advice);
}

/** Opens the mailbox where mails come back, and changes nothing there. */
async function returnedMail({ settings: { LEAD_BOUNCES_URL: url } }: Examination): Promise<Finding> {
	if (url === undefined) return skipped('no LEAD_BOUNCES_URL in these settings');
	const reason = await openMailbox(url).then((mailbox) => mailbox[Symbol.asyncDispose](), mailboxFault);
	if (reason === undefined) return ok('the mailbox opens, and takes our login');
	const advice = 'Check host, port, user and password there. Until then nobody is told of mails that come back.';
	return fault(`LEAD_BOUNCES_URL: ${reason}`, advice);
}

async function spamEngines({ settings }: Examination): Promise<Finding> {
	const example = receivedNow(leadSchema.parse(exampleLead(() => true)));
	const asked = channelsOf(settings).spamEngines.map(async ({ name, ask }) => {
		const said = ask(example, AbortSignal.timeout(TRY_TIMEOUT_MS)).catch((error: unknown) => failureOf(error).reason);
		return `${name}: ${await said}`;
	});
	if (asked.length === 0) return skipped('no LEAD_SPAM_URL in these settings');
	const answers = await Promise.all(asked);
	const isRight = answers.every((answer) => /: (?:enquiry|no action|greylist)$/.test(answer));
	const advice =
		'It was an ordinary lead. Mend host, key or model in LEAD_SPAM_URL. A model that does not call it enquiry is unfit.';
	return isRight ? ok(answers.join(', ')) : fault(answers.join(', '), advice);
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

/** Tries a write as a lead needs it: a full disk shows nowhere else until a visitor is refused. */
async function writable({ store }: Examination): Promise<Finding> {
	const opened = await store;
	return opened.requireWritable().then(
		() => ok('it takes a write'),
		({ message }: StoreError) => fault(message, 'Leads are refused until then. Is the disk full, or the database read-only?'),
	);
}

/** @param whose clock, which says this time */
function compareClocks(whose: string, time: number): Finding {
	const off = time - Date.now();
	if (Math.abs(off) <= CLOCK_ERROR_MS) return ok('as on this machine');
	const found = `${whose} is ${roughTime(Math.abs(off) / 1000)} ${off > 0 ? 'ahead of' : 'behind'} this machine`;
	return fault(found, 'See to it that both keep their clocks by NTP: retries, limits, links and canaries go by them.');
}

async function statusClock({ ask }: Examination): Promise<Finding> {
	const { body } = await ask(paths.getStatus);
	const { data } = exactly.safeParse(await new Response(body).json().catch(() => undefined));
	return data === undefined ? skipped('the status has no time') : compareClocks('the server', Date.parse(data.time));
}

async function storeClock({ settings, store }: Examination): Promise<Finding> {
	if (storePlace(settings).kind === 'sqlite') return skipped('SQLite has the clock of its server');
	return compareClocks('PostgreSQL', await (await store).requireWritable());
}

/** A delivery that waits longer is a warning: by default it has failed three times by then. */
const LONG_MS = 3_600_000;

async function waiting({ store, leads }: Examination): Promise<Finding> {
	const { waiting: count, oldestWaiting } = await (await store).count();
	if (oldestWaiting === null) return ok('nothing waits');
	const age = (await (await store).requireWritable().catch(Date.now)) - oldestWaiting;
	const found = `${count} waiting, the oldest for ${roughTime(age / 1000)}`;
	return age > LONG_MS ? warning(found, `See why: ${leads} list --state waiting`) : ok(found);
}

async function parked({ store, leads }: Examination): Promise<Finding> {
	const { parked: count } = await (await store).count();
	if (count === 0) return ok('none');
	return fault(`${count} parked`, `See why: ${leads} list --state parked. Once that is mended: ${leads} retry --parked`);
}

/** How far back it looks, so that the last week is whole. */
const TWO_WEEKS_MS = 14 * DAY_MS;

/** Says how long leads waited until somebody of the sales team took them. */
async function taken({ store }: Examination): Promise<Finding> {
	const weeks = timesByWeek(await (await store).takenLeads(Date.now() - TWO_WEEKS_MS));
	const found = weeks.map(({ week, ...times }) => `week from ${week}: ${times.leads}, ${waitsText(times)}`);
	return ok(found.join('; ') || 'nobody took a lead of the last two weeks by its link');
}

/** All checks, in order, by stable and unique names. A check that throws a `Failure` is skipped. Any other exception is a fault. */
export const checks: Record<string, (examination: Examination) => Finding | Promise<Finding>> = {
	origin: isBuiltFor,
	'origin: answers': ({ answers }) => answers.then(() => ok('answers')),
	'documents: bytes': ofEach('the same as built', bytesFault, DEPLOY),
	'documents: headers': ofEach('with those declared', headersFault, DECLARE),
	'documents: unknown address': unknownAddress,
	'API: status': status,
	'API: clock': statusClock,
	'API: empty lead': answered('422 as application/problem+json', 'application/json', '{}'),
	'API: own form': answered('422 as text/html', FORM, 'name='),
	'API: foreign form': answered('403 as application/problem+json', FORM, 'name=', { origin: 'https://elsewhere.example' }),
	'API: test key': answered('200 as application/json', 'application/json', '{"website":"a"}', withTestKey),
	'mail: server': mailServer,
	'spam: engines': spamEngines,
	'mail: returned': returnedMail,
	'store: SQLite': sqlite,
	'store: writable': writable,
	'store: clock': storeClock,
	'store: waiting': waiting,
	'store: parked': parked,
	'store: taken': taken,
};
