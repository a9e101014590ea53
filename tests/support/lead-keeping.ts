import { pino } from 'pino';
import { expect } from 'vitest';
import { quarantine, take, type TakeDeps } from '../../src/api/take.ts';
import { leadSchema } from '../../src/lead/lead.ts';
import { openStore } from '../../src/store/index.ts';
import type { DeliveryResult } from '../../src/store/store.ts';
import { runLeads } from './leads-command.ts';
import { leadOf, type LeadValues } from './post-lead.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Creates a lead store in a file, and the command for it. No server runs: the tests take leads, and say what became of them. */
export async function startLeadKeeping(settings: Record<string, string> = {}) {
	const folder = await temporaryFolder();
	const path = `${folder.path}/leads.db`;
	const env = { LEAD_STORE: `sqlite:${path}`, LEAD_WEBHOOK_URL: 'https://hooks.example/secret-part', ...settings };
	const channels = env.LEAD_WEBHOOK_URL.split(' ').map((url) => `json:${new URL(url).host}`);
	const store = await openStore({ kind: 'sqlite', path });
	const deps: TakeDeps = {
		channels: channels.map((name) => ({ name, send: () => Promise.resolve({ ok: true }) })),
		store,
		outbox: { saved: () => {}, quarantined: () => {} },
		secret: store.secret,
		team: {},
		spam: undefined,
		log: pino({ level: 'silent' }),
	};
	const idOfNewest = async () => (await store.list({ limit: 1 }))[0]!.id;
	return {
		env,
		folder: folder.path,
		store,
		leads: (...args: string[]) => runLeads(args, env),
		/** Takes a lead as the server does. @returns its id */
		async take(fields: LeadValues = {}) {
			expect(await take(leadSchema.parse(leadOf(fields)), {}, deps)).toBe('accepted');
			return idOfNewest();
		},
		/** Takes what filled the honeypot. @returns its id */
		async quarantine(submission: Record<string, unknown>) {
			await quarantine(submission, {}, deps);
			return idOfNewest();
		},
		/** Ends a try of all that is due for a channel, by default the first. @returns how many there were */
		async tried(result: DeliveryResult = { state: 'sent' }, channel = channels[0]!) {
			const due = await store.claim({ channel, owner: 'test', limit: 1000, lease: 60_000 });
			for (const { id } of due) await store.mark({ id, channel, owner: 'test' }, result);
			return due.length;
		},
		async [Symbol.asyncDispose]() {
			await store[Symbol.asyncDispose]();
			await folder[Symbol.asyncDispose]();
		},
	};
}
