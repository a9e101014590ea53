import { type KeyObject, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { paths } from '../../facts/links.ts';
import { ANSWER_MS, mailboxFault, openMailbox } from '../../channels/imap.ts';
import { canaryLead } from '../../lead/words.ts';
import { type Asker, fault, type Finding, ok } from './examination.ts';

/** Between two looks for the canary: the finding tells its time in seconds. */
const PAUSE_MS = 1000;

type Place = URL | { host: string; port: number };

/** Sends a canary by the form, as a visitor would, and waits until it has arrived at its place. @param patience in milliseconds */
export async function sendCanary(secret: KeyObject, place: Place, ask: Asker, origin: URL, patience: number): Promise<Finding> {
	const opening = place instanceof URL ? inboxAt(place, Math.min(patience, ANSWER_MS)) : listenAt(place);
	const opened = await opening.catch(destinationFault);
	if ('outcome' in opened) return opened;
	await using inbox = opened;

	const page = await ask(paths.contact);
	const form = formIn(page.body.toString());
	const id = randomBytes(6).toString('hex');
	const filled = Object.entries(canaryLead(id, secret));
	const missing = filled.map(([name]) => name).filter((name) => !form.fields.has(name));
	if (missing.length > 0)
		return fault(`the form of ${paths.contact} (${page.status}) has no ${missing.join(', ')}`, 'Deploy all of the build again.');

	const headers = { origin: origin.origin, referer: origin.origin + paths.contact };
	const typed = filled.filter(([name]) => !form.fields.get(name));
	const body = new URLSearchParams([...new Map([...form.fields, ...typed])]);
	const answer = await ask(form.action, { method: 'POST', headers, body });
	const start = Date.now();
	if (answer.status === 422) return { check: 'canary: secret', ...fault('the server does not know the canary: 422', SECRET) };
	if (answer.status !== 303)
		return fault(`the form was answered ${answer.status}, not 303`, 'The reason is in the server’s log.');
	for (;;) {
		const arrived = await inbox.take(id).catch(destinationFault);
		if (typeof arrived === 'object') return arrived;
		if (arrived) return ok(`arrived after ${seconds(start)}`);
		if (Date.now() > start + patience) return fault(`accepted, but not arrived after ${seconds(start)}`, LATE);
		await setTimeout(PAUSE_MS);
	}
}

const SECRET =
	'The server has another CANARY_SECRET, or none, or its clock and this one differ by more than ten minutes. Nothing went to the sales team.';
const LATE =
	'See canary-email or canary-webhook in the server’s log. “Not delivered” has the reason. After “Delivered” the mail server has it: look ' +
	'into its queue, into the mailbox’s spam, and whether CANARY_IMAP_URL is the mailbox of CANARY_EMAIL_TO.';

/** Returns the fault of a mailbox or of an address to listen at. The website has no part in it. */
function destinationFault(error: Error): Finding {
	const advice = 'The website is not at fault. See to the server of CANARY_IMAP_URL, or correct that or CANARY_WEBHOOK.';
	return { check: 'canary: destination', ...fault(`the canary’s destination failed: ${mailboxFault(error)}`, advice) };
}

const seconds = (start: number) => `${Math.round((Date.now() - start) / 1000)} s`;

/** Returns where the form of a page is sent, and its fields with the values that they come with. */
function formIn(page: string) {
	const [, tag = '', content = ''] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(page) ?? [];
	const inputs = [...content.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)].map(([input]) => input);
	return {
		action: attribute(tag, 'action') ?? '',
		fields: new Map(inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''])),
	};
}

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/** The place where canaries arrive. `take` says whether the canary of this id has arrived, and removes it. */
type Inbox = AsyncDisposable & { take: (id: string) => Promise<boolean> };

async function inboxAt(url: URL, patience: number): Promise<Inbox> {
	// More than the pause between two looks, in which the connection is quiet.
	const mailbox = await openMailbox(url, PAUSE_MS + patience);
	const take = (id: string) =>
		mailbox.use(async (client) => {
			const found = await client.search({ subject: id }, { uid: true });
			if (!found) throw new Error('it refuses to be searched');
			if (found.length > 0) await client.messageDelete(found, { uid: true });
			return found.length > 0;
		});
	return { take, [Symbol.asyncDispose]: mailbox[Symbol.asyncDispose] };
}

async function listenAt(address: { host: string; port: number }): Promise<Inbox> {
	const bodies: string[] = [];
	const server = createServer(async (request, response) => {
		bodies.push(await text(request));
		response.end();
	});
	await once(server.listen(address), 'listening');
	const take = async (id: string) => bodies.some((body) => body.includes(id));
	return { take, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
