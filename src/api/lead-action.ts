import type { Channel } from '../channels/channel.ts';
import { contentOf } from '../channels/message.ts';
import { defaultLanguage, origin } from '../facts/load.ts';
import { type ActionLink, actionLinkIn, actionPath, ACTIONS } from '../lead/action.ts';
import { cleanLine, cutTo } from '../lead/text.ts';
import { type Likeness, likenessOf } from '../outbox/traits.ts';
import { tellOfAnswerer } from '../outbox/upkeep.ts';
import { type LeadStore, type StoredEntry, StoreError, type Assignment } from '../store/store.ts';
import { type Answer, methodNotAllowed, type PageAnswer, problem } from './answer.ts';
import { isForeignForm } from './read.ts';
import { BodyTooLarge, type ClientRequest, isGetOrHead } from './request.ts';
import type { Kept, AcceptDeps } from './accept.ts';
import { release, retry, train } from './verdict.ts';

/** The page behind a link, as it is now. It shows the lead's id and time, and the features that tell which others are like it. */
export interface ActionState {
	language: string;
	/** The sales team's time zone, in the IANA database. */
	timeZone: string;
	/** Undefined where the link is wrong. */
	action?: ActionLink['action'];
	/** `ask`: has the button. `done`: nothing is left to do. `gone`: the lead is deleted. `failed`: the store does not work. The others are those of `actionLinkIn`. */
	outcome: 'ask' | 'done' | 'wrong' | 'foreign' | 'ended' | 'gone' | 'failed';
	id?: string;
	/** ISO 8601. */
	receivedAt?: string;
	/** The features of leads like this one, if a press tells how to judge them. Undefined if the lead cannot be read. */
	likeness?: Likeness;
	/** Whether somebody marked it as spam, if the page is about who answers it. */
	isSpam?: boolean;
	assigned?: Assignment;
	/** Who looks at the page, if they have said so before. */
	name?: string;
	isNameless?: boolean;
	/** The path of the link that takes it back. */
	undo?: string;
}

const statuses = { ask: 200, done: 200, wrong: 403, foreign: 403, ended: 410, gone: 410, failed: 503 };
/** In code points: of a name. */
const LONGEST_NAME = 60;
/** In bytes: of a body with such a name. */
const LONGEST_BODY = 2000;
const COOKIE = 'who';
/** The action that takes another back, on the page that says that it is done. Buttons of that page change who answers a lead. */
const opposites: Partial<Record<ActionLink['action'], ActionLink['action']>> = { spam: 'not-spam', 'not-spam': 'spam' };
const FOREIGN_PRESS = 'Only the page behind the link may do what the link says. Open the link, and press its button.';

/**
 * `/lead/ACTION`: shows what a link of the sales team would do, and does it when the button of the page is pressed. Mail scanners open links,
 * so reading changes nothing.
 * @param deps undefined: the store is away or the settings are wrong, as the log says. Without a store no request comes here
 */
export async function answerAction(
	request: ClientRequest,
	deps: AcceptDeps | undefined,
): Promise<Answer | PageAnswer<ActionState>> {
	if (!isGetOrHead(request) && request.method !== 'POST') return methodNotAllowed('GET, HEAD, POST');
	if (request.method === 'POST' && isForeignForm(request.headers)) return problem('foreign-form', { detail: FOREIGN_PRESS });
	const { language, timeZone } = deps?.team ?? { language: defaultLanguage, timeZone: 'UTC' };
	const page = (outcome: ActionState['outcome'], shown: Partial<ActionState> = {}): PageAnswer<ActionState> => ({
		status: statuses[outcome],
		headers: headersIn(language),
		path: `${ACTIONS}taken`,
		page: { language, timeZone, outcome, ...shown },
		isShared: !('assigned' in shown),
	});
	const secret = deps?.team.linkSecret;
	// Without a channel, what is released or sent again would go nowhere and count as delivered.
	if (!deps?.kept || !secret || deps.channels.length === 0) return page('failed');
	const { store } = deps.kept;
	const link = actionLinkIn(request.url, secret);
	if (typeof link === 'string') return page(link);
	const { action, id } = link;
	request.notes['action'] = action;
	try {
		const [entry] = await store.find(id);
		if (!entry) return page('gone', { action });
		const pressed = request.method === 'POST' ? await pressIn(request) : undefined;
		const isNameless = action === 'taken' && pressed?.name === '' && pressed.change !== 'back';
		if (pressed !== undefined && !isNameless) {
			await act(link, entry, pressed, deps.kept, deps.channels);
			const own = pressed.change === '' ? pressed.name : '';
			const headers = { ...headersIn(language), ...(own !== '' && { 'set-cookie': cookieOf(own) }) };
			return { status: 303, headers: { ...headers, location: actionPath(link, secret) }, body: '' };
		}
		const opposite = opposites[action];
		const isDone = await isDoneTo(link, entry, store);
		const { lead } = contentOf(entry);
		// Only where the button that was pressed is still there.
		const isRefused = isNameless && (!isDone || pressed.change !== '');
		const answer = page(isDone ? 'done' : 'ask', {
			action,
			...(entry.kind === 'lead' && { id, receivedAt: new Date(entry.receivedAt).toISOString() }),
			...(!isDone && opposite && lead && { likeness: likenessOf(store.secret, lead) }),
			isSpam: action === 'taken' && entry.spam?.verdict === 'spam',
			assigned: entry.assigned,
			name: nameOf(request),
			isNameless: isRefused,
			...(isDone && opposite && { undo: actionPath({ ...link, action: opposite }, secret) }),
		});
		return isRefused ? { ...answer, status: 422 } : answer;
	} catch (error) {
		if (error instanceof BodyTooLarge) return page('wrong');
		if (!(error instanceof StoreError)) throw error;
		deps.log.error({ err: error, id }, 'The link of a message did nothing: the store does not work.');
		return page('failed', { action });
	}
}

/**
 * No cache, no search engine and no other site learns of the link. With `no-referrer` the button's `Origin` would be `null`, as if another
 * site had sent it (Fetch standard, section 3.2).
 */
const headersIn = (language: string) => ({
	'content-type': 'text/html; charset=utf-8',
	'content-language': language,
	'cache-control': 'no-store',
	'referrer-policy': 'same-origin',
	'x-robots-tag': 'noindex',
});

/** Reads the state of the store, so that a link that was used before says so. */
async function isDoneTo({ action }: ActionLink, entry: StoredEntry, store: LeadStore): Promise<boolean> {
	const { state, spam, assigned } = entry;
	if (action === 'taken') return assigned !== undefined;
	if (action === 'spam') return spam?.verdict === 'spam';
	if (action === 'not-spam') return state !== 'quarantined' && spam?.verdict === 'clear';
	return (await store.count()).parked === 0;
}

async function act(link: ActionLink, entry: StoredEntry, press: Press, { store, outbox }: Kept, channels: Channel[]) {
	const { action } = link;
	if (action === 'taken') {
		if (!(await assign(entry, press, store))) return;
		const by = press.change === 'back' ? undefined : press.name;
		await tellOfAnswerer({ about: link.id, by }, channels, store);
	} else if (action === 'spam') await train(entry, 'spam', store);
	else if (action === 'not-spam') await release(entry, channels, store);
	// The link is in the notice that a channel fails, and is for all that is stuck.
	else await retry('stuck', channels, store);
	outbox.saved();
}

/** Notes who answers a lead. A press on a page that shows what is no longer so changes nothing. */
async function assign({ id, assigned }: StoredEntry, { name, change, since }: Press, store: LeadStore): Promise<boolean> {
	if (change === '') return store.assign(id, name);
	return assigned?.at === Number(since) && store.assign(id, change === 'back' ? undefined : name, assigned);
}

// Cleaned again: the cut may part an emoji, and leave invisible characters of it.
const cleanName = (name: string) => cleanLine(cutTo(cleanLine(name), LONGEST_NAME));

type Press = NonNullable<Awaited<ReturnType<typeof pressIn>>>;

/**
 * Reads a press of a button of the page, unless its `change` is missing: some scanners post to a link, with no form. `name` is empty if none
 * is given. `change`: nobody answers the lead any more (`back`), or somebody else does (`over`); empty for the link's own action. `since` is
 * the time of the assignment that the page shows, if this changes it.
 */
async function pressIn(request: ClientRequest) {
	const form = new URLSearchParams((await request.read(LONGEST_BODY)).toString());
	if (!form.has('change')) return undefined;
	const change = (['back', 'over'] as const).find((each) => each === form.get('change')) ?? ('' as const);
	return { name: cleanName(form.get('name') ?? ''), change, since: form.get('since') };
}

/** Returns the cookie that keeps a name for a year (RFC 6265 section 4.1). */
const cookieOf = (name: string) =>
	`${COOKIE}=${encodeURIComponent(name)}; Path=${ACTIONS}; Max-Age=31536000; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`;

function nameOf({ headers }: ClientRequest): string | undefined {
	// Our part of AWS Lambda joins cookies by commas. In our cookie `+` is encoded.
	const cookies = new URLSearchParams(headers.get('cookie')?.replaceAll(/[;,] ?/g, '&'));
	return cleanName(cookies.get(COOKIE) ?? '') || undefined;
}
