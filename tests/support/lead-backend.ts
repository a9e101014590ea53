import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { quarantine, type Sending, take } from '../../src/api/take.ts';
import { leadSchema } from '../../src/lead/lead.ts';
import { openBackendWith } from '../../src/server/backend.ts';
import { openLog } from '../../src/server/log.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { runLeads } from './leads-command.ts';
import { leadOf, type LeadValues } from './post-lead.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

interface Listed {
	id: string;
	kind: string;
	state: string;
	spam?: { verdict: string; signals: string[] };
}

/**
 * Opens in this process what a server has behind its requests, from its settings: a store that outlives it, a webhook that it
 * delivers to, and the operator's command. Whatever is taken was tried once when its function resolves.
 */
export async function startBackend(
	settings: Record<string, string> = {},
	reply: Parameters<typeof startWebhookReceiver>[0] = {},
) {
	const folder = await temporaryFolder();
	const receiver = await startWebhookReceiver(reply);
	const path = `${folder.path}/leads.db`;
	const env: Record<string, string> = { LEAD_STORE: `sqlite:${path}`, LEAD_WEBHOOK_URL: receiver.url, ...settings };
	const log: Record<string, unknown>[] = [];
	const open = () => {
		const read = readSettings(env);
		return openBackendWith(
			read,
			openLog(read.logLevel, (line) => void log.push(JSON.parse(line) as Record<string, unknown>)),
		);
	};
	const database = () => new DatabaseSync(path, { timeout: 5000 });
	let backend = await open();
	return {
		env,
		folder: folder.path,
		receiver,
		log,
		leads: (...args: string[]) => runLeads(args, env),
		/** Opens the store's file, to change it behind the back of the backend. */
		database,
		/** Makes the store refuse notices from now on. */
		refuseNotices() {
			using file = database();
			const refusal = `SELECT RAISE(ABORT, 'No notices.')`;
			file.exec(`CREATE TRIGGER no_notice BEFORE INSERT ON lead_entries WHEN NEW.kind = 'notice' BEGIN ${refusal}; END`);
		},
		tryDue: () => backend.tryDue(),
		/** @returns the result, which is `accepted` for a lead that was taken */
		async send(fields: LeadValues = {}, sending: Sending = {}) {
			const result = await take(leadSchema.parse(leadOf(fields)), sending, backend);
			await backend.tryDue();
			return result;
		},
		async take(...lead: [fields?: LeadValues, sending?: Sending]) {
			expect(await this.send(...lead)).toBe('accepted');
		},
		/** Takes what filled the honeypot. */
		async quarantine(submission: Record<string, unknown>) {
			await quarantine(submission, {}, backend);
			await backend.tryDue();
		},
		/** Returns the leads, the newest first, as the command lists them. */
		async list(...args: string[]) {
			const { entries } = JSON.parse((await this.leads('list', '--json', ...args)).stdout) as { entries: Listed[] };
			return entries.filter(({ kind }) => kind === 'lead');
		},
		/** Returns the messages that the webhook got. */
		received: () => receiver.requests.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> }),
		/** Stops, and opens again with other settings. */
		async restart(changes: Record<string, string>) {
			await backend.stop();
			Object.assign(env, changes);
			backend = await open();
			await backend.tryDue();
		},
		async [Symbol.asyncDispose]() {
			await backend.stop();
			await receiver[Symbol.asyncDispose]();
			await folder[Symbol.asyncDispose]();
		},
	};
}
