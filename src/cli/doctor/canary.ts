import { type KeyObject, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { paths } from '../../facts/links.ts';
import { isLoopback } from '../../lead/values.ts';
import { canaryMessage, testLead } from '../../lead/words.ts';
import { type Asker, fault, type Finding, ok } from './examination.ts';

/** Between two looks for the canary: the finding tells its time in seconds. */
const PAUSE_MS = 1000;

/** A mailbox, or an address to listen at. */
type Place = URL | { host: string; port: number };

/** Sends a canary by the form, as a visitor would, and waits until it has arrived at its place. @param patience in milliseconds */
export async function sendCanary(secret: KeyObject, place: Place, ask: Asker, origin: URL, patience: number): Promise<Finding> {
	const opened = await (place instanceof URL ? openMailbox(place) : listenAt(place)).catch((error: Unopened) =>
		fault(`the canary’s destination: ${error.responseText ?? error.message}`, 'Check CANARY_IMAP_URL or CANARY_WEBHOOK.'),
	);
	if ('outcome' in opened) return opened;
	await using inbox = opened;

	const page = await ask(paths.contact);
	const form = formIn(page.body.toString());
	const id = randomBytes(6).toString('hex');
	const filled = Object.entries({ ...testLead(''), name: `Canary ${id}`, message: canaryMessage(id, secret) });
	const missing = filled.map(([name]) => name).filter((name) => !form.fields.has(name));
	if (missing.length > 0)
		return fault(`the form of ${paths.contact} (${page.status}) has no ${missing.join(', ')}`, 'Deploy all of the build again.');

	const headers = { origin: origin.origin, referer: origin.origin + paths.contact };
	const typed = filled.filter(([name]) => !form.fields.get(name));
	const body = new URLSearchParams([...new Map([...form.fields, ...typed])]);
	const answer = await ask(form.action, { method: 'POST', headers, body });
	const start = Date.now();
	if (answer.status !== 303)
		return fault(`the form was answered ${answer.status}, not 303`, 'The reason is in the server’s log.');
	while (!(await inbox.take(id))) {
		if (Date.now() > start + patience)
			return fault(
				`taken, but not arrived after ${seconds(start)}`,
				'See canary-email or canary-webhook in the server’s log. If there is nothing, sales got it: the server has another CANARY_SECRET, ' +
					'or its clock and this one differ by more than ten minutes.',
			);
		await setTimeout(PAUSE_MS);
	}
	return ok(`arrived after ${seconds(start)}`);
}

const seconds = (start: number) => `${Math.round((Date.now() - start) / 1000)} s`;

/** Returns where the form of a page is sent, and its fields with the values that they come with. */
function formIn(page: string) {
	const [, tag = '', content = ''] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(page) ?? [];
	const inputs = [...content.matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([input]) => input);
	return {
		action: attribute(tag, 'action') ?? '',
		fields: new Map(inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''])),
	};
}

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/** The place where canaries arrive. `take` says whether the canary of this id has arrived, and removes it. */
interface Inbox extends AsyncDisposable {
	take: (id: string) => Promise<boolean>;
}

/** `responseText`: what an IMAP server said. */
type Unopened = Error & { responseText?: string };

async function openMailbox(url: URL): Promise<Inbox> {
	const { protocol, hostname, port, username, password, pathname } = url;
	const { ImapFlow } = await import('imapflow');
	const client = new ImapFlow({
		host: hostname.replaceAll(/[[\]]/g, ''),
		port: Number(port) || (protocol === 'imaps:' ? 993 : 143),
		secure: protocol === 'imaps:',
		// Without TLS the password could be read on its way.
		...(protocol === 'imap:' && !isLoopback(url) && { doSTARTTLS: true }),
		auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
		logger: false,
	});
	// The next command fails with the same error.
	client.on('error', () => {});
	try {
		await client.connect();
		await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX');
	} catch (error) {
		// An open connection would keep the doctor from ending.
		client.close();
		throw error;
	}
	return {
		async take(id) {
			await client.noop();
			const found = (await client.search({ subject: id }, { uid: true })) || [];
			if (found.length > 0) await client.messageDelete(found, { uid: true });
			return found.length > 0;
		},
		[Symbol.asyncDispose]: () => client.logout(),
	};
}

async function listenAt(address: { host: string; port: number }): Promise<Inbox> {
	const bodies: string[] = [];
	const server = createServer(async (request, response) => {
		bodies.push(await text(request));
		response.end();
	});
	await once(server.listen(address), 'listening');
	return {
		take: async (id) => bodies.some((body) => body.includes(id)),
		[Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
	};
}
