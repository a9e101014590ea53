import type { KeyObject } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { ProblemName } from './answer.ts';
import { type Channel, channelsFor, namesOf, sendWithin } from '../channels/channel.ts';
import type { SpamCheck } from '../outbox/judging.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { keyedHash, normalizeAddress } from '../lead/email-address.ts';
import { events, type Lead } from '../lead/lead.ts';
import { sourceGroup } from '../lead/source.ts';
import { messageOf, type ReceivedLead, receivedNow, referenceOf, type Team } from '../channels/message.ts';
import { StoreError, watchStore } from '../store/database.ts';
import type { LeadStore, NewEntry, Once } from '../store/store.ts';
import { faultsOf } from './honeypot.ts';
import type { Credential } from './rate.ts';

/** How a lead was sent, and what follows for it. */
export interface Sending {
	/** The sender's own name for this lead: a lead sent again under the same name is the same lead. */
	idempotencyKey?: string;
	/** Undefined: no key came. With the public test key a lead is checked like every other, but neither kept nor delivered, and never a repeat or a conflict. */
	apiKey?: Credential;
	/** The name of a canary: it goes, once, to the operator who sent it, in place of the sales team, and is in no statistics. */
	canary?: string;
	/** It came as a form without the honeypot, which our page always sends. */
	form?: 'other';
	/** It filled the honeypot: never a canary. */
	isHit?: boolean;
}

/** The result for a lead and, if it was accepted, the name that people have for it. */
export interface Acceptance {
	/** `accepted`: the sender gets 200, and the lead is safe, except one with the test key, and a hit where there is no store. Otherwise the problem. */
	result: 'accepted' | ProblemName;
	reference?: string;
}

const UNAVAILABLE: Acceptance = { result: 'unavailable' };
const acceptedAs = (id: string): Acceptance => ({ result: 'accepted', reference: referenceOf(id) });

/** A store, and the outbox that delivers what is in it. */
export type Kept = { store: LeadStore; outbox: Pick<Outbox, 'saved' | 'quarantined'> };

export interface AcceptDeps {
	channels: Channel[];
	/** The secret that signs canaries, and the channels that they go to. Undefined: there are none. */
	canary?: { secret: KeyObject; channels: Channel[] };
	/** Undefined: a lead is delivered within its request (`LEAD_STORE=none`). */
	kept: Kept | undefined;
	/** For keyed hashes. The same in every instance that shares the store. */
	secret: KeyObject;
	team: Team;
	/** Undefined: nobody judges leads. */
	spam: SpamCheck | undefined;
	log: Logger;
}

/**
 * Accepts a checked lead: onto the disk or, without a store, to the channels. A honeypot hit, which nobody has checked, goes into quarantine,
 * and takes as long. Without a store only its mark is kept, and it takes as long as the last delivery. Never throws.
 */
export async function accept(lead: Partial<Lead>, sending: Sending, deps: AcceptDeps, once: Once): Promise<Acceptance> {
	const { kept, log } = deps;
	const { isHit } = sending;
	const channels = isHit ? [] : channelsFor((sending.canary ? deps.canary! : deps).channels, lead);
	if (channels.length === 0 && !isHit) {
		const missing = sending.canary ? 'CANARY_EMAIL_TO or CANARY_WEBHOOK' : 'SMTP_URL, LEAD_WEBHOOK_URL or LEAD_MAILBOX';
		log.error(`A lead was refused: no delivery is configured. Set ${missing}.`);
		return UNAVAILABLE;
	}
	if (sending.apiKey?.test) return acceptTest(once, deps);
	if (!kept) return deliverOnce(lead as Lead, sending, once, { ...deps, channels });
	const insertion = await save(lead as Lead, sending, once, kept.store, { ...deps, channels });
	if (insertion?.outcome === 'conflict') return { result: 'idempotency-key-reused' };
	if (insertion?.outcome === 'inserted') kept.outbox[isHit ? 'quarantined' : 'saved']();
	return insertion ? acceptedAs(insertion.id) : UNAVAILABLE;
}

/**
 * Returns whether a lead or hit has the mark of an earlier one, and so is no new lead: {@link accept} decides whether it is a repeat
 * or a conflict. False with the test key, of which nothing is remembered, and while the store fails. Never throws.
 */
export async function isRepeat({ key }: Once, { apiKey }: Sending, { kept }: AcceptDeps): Promise<boolean> {
	if (apiKey?.test) return false;
	return kept ? kept.store.hasMark(key).catch(() => false) : earlier.has(key);
}

/** Answers as if it kept what came with the test key, which everybody shares. Nothing is remembered: the reference follows from the lead and its mark. */
async function acceptTest({ key, fingerprint }: Once, { kept, secret }: AcceptDeps): Promise<Acceptance> {
	if (kept && !(await kept.store.requireWritable().catch(() => false))) return UNAVAILABLE;
	return acceptedAs(Buffer.from(keyedHash(secret, 'test', key + fingerprint), 'base64url').toString('hex'));
}

/** Saves a lead, or a hit. @returns undefined if the store failed */
async function save(lead: Lead, sending: Sending, once: Once, store: LeadStore, { channels, spam, log }: AcceptDeps) {
	const { apiKey, canary, form, isHit } = sending;
	try {
		const received = receivedNow(lead, { apiKey: apiKey?.id, form });
		const entry: NewEntry = {
			id: received.id,
			kind: canary ? 'canary' : 'lead',
			receivedAt: Date.parse(received.receivedAt),
			email: lead.email ?? null,
			source: lead.source === undefined ? null : sourceGroup(lead.source),
			apiKey: apiKey?.id,
			fingerprint: spam?.fingerprintOf(lead),
			payload: JSON.stringify(received),
			channels: namesOf(channels),
			once,
			...(isHit && {
				quarantine: faultsOf(lead).length === 0 ? 'held' : 'faulty',
				spam: { verdict: 'held', signals: ['honeypot'] },
			}),
		};
		return await watchStore(log, () => store.insert(entry));
	} catch (error) {
		if (!(error instanceof StoreError)) log.error({ err: error }, 'A lead was refused: it cannot be saved.');
		return undefined;
	}
}

/** How long an `Idempotency-Key` belongs to its lead. Longer than a canary's signature lasts, by whatever clock. */
const KEY_LIFETIME_MS = 24 * 3600_000;
/** How long a second copy of a lead, without a key, counts as a double click, a reload, or a form that sends itself where its script cannot. */
const REPEAT_WINDOW_MS = 10 * 60_000;

/**
 * Returns the mark that keeps a lead from being accepted twice: its `Idempotency-Key`, or else its content. With a key its content is
 * marked too, against a copy without one. Each sender, told by API key or else by email address, has keys of its own. A canary's mark is
 * its name alone: who has read one may send it with other fields. A hit's key belongs to its content: no hit is refused as a conflict.
 */
export function onceFor(secret: KeyObject, lead: Partial<Lead>, { idempotencyKey, apiKey, canary, isHit }: Sending): Once {
	const name = canary && keyedHash(secret, 'canary', canary);
	if (name) return { key: name, fingerprint: name, lifetime: KEY_LIFETIME_MS };
	const fingerprint = keyedHash(secret, isHit ? 'quarantined' : 'lead', JSON.stringify(lead));
	if (idempotencyKey === undefined) return { key: fingerprint, fingerprint, lifetime: REPEAT_WINDOW_MS };
	const sender = apiKey?.id ?? normalizeAddress(lead.email ?? '');
	const key = keyedHash(secret, 'key', `${isHit ? `${fingerprint}\0` : ''}${sender}\0${idempotencyKey}`);
	return { key, fingerprint, lifetime: KEY_LIFETIME_MS, alone: REPEAT_WINDOW_MS };
}

/** Much less than visitors, browsers and proxies wait. */
const DELIVERY_TIMEOUT_MS = 10_000;

/** The answers that this process gave without a store, by their marks. */
const earlier = new LRUCache<string, { fingerprint: string; id: string; delivered: Promise<boolean> }>({ max: 10_000 });

async function deliverOnce(lead: Lead, sending: Sending, once: Once, deps: AcceptDeps): Promise<Acceptance> {
	const { key, fingerprint, lifetime, alone } = once;
	const before = earlier.get(key);
	if (before && before.fingerprint !== fingerprint) return { result: 'idempotency-key-reused' };
	if (before) return (await before.delivered) ? acceptedAs(before.id) : UNAVAILABLE;
	const received = receivedNow(lead, { apiKey: sending.apiKey?.id, form: sending.form });
	const delivered = deliver(received, sending, deps).catch((error: unknown) => {
		deps.log.error({ err: error }, 'A lead was refused: it cannot be made into a message.');
		return false;
	});
	const own = { fingerprint, id: received.id, delivered };
	if (alone) earlier.set(fingerprint, own, { ttl: alone });
	earlier.set(key, own, { ttl: lifetime });
	if (await delivered) return acceptedAs(own.id);
	// Otherwise every copy would have this answer.
	for (const mark of [key, fingerprint]) if (earlier.get(mark) === own) earlier.delete(mark);
	return UNAVAILABLE;
}

/** As long as the last lead took without a store: a hit is answered as late, so that a robot cannot tell one from the other. */
let lastDeliveryMs = 0;

/** Delivers to all channels at the same time. @returns whether one of them has it. A hit goes to none, and counts as delivered */
async function deliver(received: ReceivedLead, { canary, isHit }: Sending, { channels, team, spam, log }: AcceptDeps) {
	if (isHit) {
		log.warn('A submission filled the honeypot. Without a store it is not kept.');
		await wait(lastDeliveryMs);
		return true;
	}
	const start = performance.now();
	const judgement = await spam?.judge(received, { isCanary: canary !== undefined });
	// Where every lead is taken for spam, it does not arrive.
	if (canary && judgement && judgement.verdict !== 'clear') return false;
	const message = messageOf(received, team, { kept: false, spam: judgement });
	const time = DELIVERY_TIMEOUT_MS - (performance.now() - start);
	const deliveries = channels.map(async (channel) => {
		const sent = await sendWithin(time, channel, message);
		if (!canary) events.emit('tried', { channel: channel.name, outcome: sent.ok ? 'sent' : 'failed' });
		const about = { lead: message.id, channel: channel.name };
		if (sent.ok) log.info({ ...about, note: sent.note }, 'Delivered.');
		else log.error({ ...about, reason: sent.reason }, 'Not delivered.');
		return sent.ok;
	});
	// One is enough: if the visitor sent it again, those who have it would get it twice.
	const arrived = (await Promise.all(deliveries)).includes(true);
	lastDeliveryMs = performance.now() - start;
	return arrived;
}
