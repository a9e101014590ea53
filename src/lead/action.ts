import type { KeyObject } from 'node:crypto';
import { origin } from '../facts/load.ts';
import { isSigned, keyedHash } from './email-address.ts';

/** The ways to act on a lead from a message, by the last segment of a link's path. */
const actions = ['taken', 'spam', 'not-spam', 'send-again'] as const;
export type Action = (typeof actions)[number];

/** The path below which the links lead. */
export const ACTIONS = '/lead/';

/** How long a link works, from the time of its message. */
const LIFETIME_S = 30 * 86_400;

/** A link that works: what it does to which entry, and when it ends, in seconds since the epoch. */
export interface ActionLink {
	action: Action;
	/** UUID. */
	id: string;
	end: number;
}

/** Returns the path of a link, with its signature: only the server can make a link, or change one. */
export function actionPath({ action, id, end }: ActionLink, secret: KeyObject): string {
	const sign = keyedHash(secret, 'action', signedText(action, id, String(end)));
	return `${ACTIONS}${action}?${new URLSearchParams({ id, end: String(end), sign }).toString()}`;
}

/** Returns the URL of a link in a message. @param time of the message, ISO 8601 */
export const actionUrl = (action: Action, id: string, time: string, secret: KeyObject): string =>
	origin + actionPath({ action, id, end: Math.floor(Date.parse(time) / 1000) + LIFETIME_S }, secret);

/** Reads the link that a request target is, or returns why it does not work. `foreign`: whole, but signed with another secret, or changed. */
export function actionLinkIn(target: string, secret: KeyObject): ActionLink | 'wrong' | 'foreign' | 'ended' {
	// A target may have an invalid host.
	const { pathname, searchParams } = URL.parse(target, origin) ?? new URL(origin);
	const action = actions.find((name) => pathname === ACTIONS + name);
	const [id, end, sign] = ['id', 'end', 'sign'].map((name) => searchParams.get(name) ?? '') as [string, string, string];
	if (action === undefined || !/^[\da-f-]{36} \d+ [\w-]{43}$/.test(`${id} ${end} ${sign}`)) return 'wrong';
	if (!isSigned(sign, secret, 'action', signedText(action, id, end))) return 'foreign';
	return Number(end) * 1000 > Date.now() ? { action, id, end: Number(end) } : 'ended';
}

const signedText = (action: Action, id: string, end: string) => `${action}\0${id}\0${end}`;
