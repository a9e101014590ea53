import type * as z from 'zod';
import { fillWords } from '../facts/language.ts';
import { commandOf, wordsIn } from '../facts/load.ts';
import { truncate } from '../lead/text.ts';
import type { Channel } from './channel.ts';
import type { Message } from './message.ts';
import { type Row, textOf } from './rows.ts';

/** How one service takes a message by HTTP, and how it answers: a row of the table of formats. */
export interface WebhookFormat<Name extends string = string, Body extends object = object> extends Pick<Channel, 'leadsOnly'> {
	/** The name for `LEAD_WEBHOOK_FORMAT` and for logs. */
	name: Name;
	/** Whether a URL is surely the service's own, by its host, its path or both. A format without this is chosen by name only. */
	recognises?(url: URL): boolean;
	/** Returns the fault of a URL of this service, and the remedy, as a sentence without its subject, the variable's name. */
	faultOf?(url: URL): string | undefined;
	/** Returns where to post to, by default the URL of the settings. */
	addressOf?(url: URL): URL;
	/** Returns a text so that the service takes nothing in it for markup. The subject and all values come to `bodyOf` like this. */
	escape?(text: string): string;
	/** Returns what to post as JSON. Services that want a key or a chat in it have that in the URL of the settings. Without links the message has no `actions`. */
	bodyOf(message: Message, url: URL): Body;
	/**
	 * Returns the sizes that the service limits, of a body or of the text that is sent, each with its limit. The longest values are cut
	 * until all fit. The subject is never cut: it has at most 120 characters, before `escape`.
	 */
	sizes?(body: Body, sent: string): [size: number, limit: number][];
	headersOf?(message: Pick<Message, 'id'>, sent: string, secrets: string[], now?: number): Record<string, string>;
	/** Reads the body of an answer. Without this, the status alone counts. */
	read?(body: string): Reading;
	/** Names the proof that the message was accepted, for the log: `HTTP 200 without ok`. */
	proof?: string;
	/** Whether programs read it, not people. It then gets the visitor's free text even if chat does not. */
	forPrograms?: boolean;
}

export interface Reading {
	/** Whether the service has accepted the message. If the answer does not say so, it may come from something else, such as a proxy. */
	accepted: boolean;
	/** The service's own word for a fault. It is logged, so it comes from a fixed set: the rest may quote a visitor. */
	fault?: string | number;
	/** The status of a failure that hides behind a success. */
	status?: number;
	/** How long to wait, in seconds, if the body says it. */
	retryAfter?: number;
}

export interface WebhookTarget {
	url: URL;
	/** Signing secrets: `whsec_` and base64. Each of them signs. */
	secrets: string[];
	/** Whether a mail has the text that chat does not show. Otherwise the store may have it. */
	inMail: boolean;
	/** Whether chat shows the visitor's free text. */
	freeText: boolean;
}

/** Returns a row of the table: it infers the body's type, so that `sizes` knows what `bodyOf` makes. */
export const format = <const Name extends string, Body extends object>(row: WebhookFormat<Name, Body>): WebhookFormat<Name> =>
	row;

/** Returns the POST that takes a message to a webhook. */
export function requestOf(row: WebhookFormat, message: Message, target: WebhookTarget) {
	const { url, secrets, freeText } = target;
	const { shortened, notShown, inMail, byCommand } = wordsIn(message.language).team;
	const inStore = message.kept && fillWords(byCommand, { command: `${commandOf('leads')} show ${message.id}` });
	/** Where a person finds the whole lead. */
	const place = message.event.type === 'lead.received' && (target.inMail ? inMail : inStore);
	const hidden = [notShown, place].filter(Boolean).join(': ');
	const ending = `… (${[shortened, place].filter(Boolean).join('; ')})`;
	// Only this machine reaches `localhost`, and services refuse a message with a button to it (rubenlagus/TelegramBots#302, bugsink/bugsink#280).
	const reachable = message.actions?.filter(({ url: to }) => new URL(to).hostname.includes('.'));
	const actions = reachable?.length ? reachable : undefined;
	const inChat = message.rows.filter((each) => each.inChat ?? true);
	const rows = freeText || row.forPrograms ? inChat : withValues(inChat, (each) => (each.freeText ? hidden : each.value));
	const { body } = write(fitted(rows, ending, (some) => write(some).fits));
	const headers = { 'content-type': 'application/json', ...row.headersOf?.(message, body, secrets) };
	return { url: row.addressOf?.(url) ?? url, headers, body };

	function write(some: Row[]) {
		const { escape = (text) => text } = row;
		const shown = withValues(some, ({ value }) => escape(value));
		const content = row.bodyOf({ ...message, actions, subject: escape(message.subject), rows: shown, text: textOf(shown) }, url);
		const body = JSON.stringify(content);
		return { body, fits: (row.sizes?.(content, body) ?? []).every(([size, limit]) => size <= limit) };
	}
}

/** Cuts the longest values to one length: the greatest with which the rows fit. If that is enough, only free text: the others say who wrote it. */
function fitted(rows: Row[], ending: string, fit: (rows: Row[]) => boolean): Row[] {
	if (fit(rows)) return rows;
	const isEnough = fit(withValues(rows, ({ value, freeText }) => (freeText ? ending : value)));
	const cutTo = (length: number) =>
		withValues(rows, ({ value, freeText }) => (freeText || !isEnough ? truncate(value, length, ending) : value));
	let [kept, tooMuch] = [ending.length, Math.max(...rows.map(({ value }) => value.length))];
	while (tooMuch - kept > 1) {
		const middle = (kept + tooMuch) >> 1;
		if (fit(cutTo(middle))) kept = middle;
		else tooMuch = middle;
	}
	return cutTo(kept);
}

const withValues = (rows: Row[], valueOf: (row: Row) => string): Row[] => rows.map((row) => ({ ...row, value: valueOf(row) }));

/** Returns the body of an answer, if it is JSON of that shape. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> | undefined {
	try {
		return schema.safeParse(JSON.parse(body)).data;
	} catch {
		return undefined;
	}
}
