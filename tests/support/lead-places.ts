import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect } from 'vitest';
import { accept, type AcceptDeps, onceFor, type Sending } from '../../src/api/accept.ts';
import { trimHit } from '../../src/api/honeypot.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { channelsOf } from '../../src/server/channels.ts';
import { type Lead, leadSchema } from '../../src/lead/lead.ts';
import { openBackend } from '../../src/server/backend.ts';
import { openLog } from '../../src/server/log.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { type DeliveryResult, type LeadStore, openStore } from '../../src/store/store.ts';
import { team } from './lead.ts';
import { runCommand, runLeads } from './operator-command.ts';
import { leadOf, type LeadValues } from './post-lead.ts';
import { startServer, type TestServer } from './server.ts';
import { type SmtpServerOptions, startSmtpServer } from './smtp-server.ts';
import { disposing, temporaryFolder } from './temporary-folder.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

type Reply = Parameters<typeof startWebhookReceiver>[0];
type Settings = Record<string, string>;

interface Listed extends Record<'id' | 'kind' | 'state', string> {
	spam?: { verdict: string; signals: string[] };
	deliveries: Record<'channel' | 'state', string>[];
}

/** A folder for a store in a file, a webhook that leads go to, and the operators' commands with these settings. */
async function startPlace(settings: Settings, reply?: Reply) {
	const [folder, receiver] = [await temporaryFolder(), await startWebhookReceiver(reply)];
	const path = `${folder.path}/leads.db`;
	const env = { LEAD_STORE: `sqlite:${path}`, LEAD_WEBHOOK_URL: receiver.url, ...settings };
	const leads = (...args: string[]) => runLeads(args, env);
	return {
		path,
		env,
		folder: folder.path,
		receiver,
		leads,
		/** Returns the leads, the newest first, as the command lists them. */
		async list(...args: string[]) {
			const { entries } = JSON.parse((await leads('list', '--json', ...args)).stdout) as { entries: Listed[] };
			return entries.filter(({ kind }) => kind === 'lead');
		},
		/** Opens the store's file, to lock it or to change it behind the store's back. */
		database: () => new DatabaseSync(path, { timeout: 5000 }),
		...disposing(receiver, folder),
	};
}

type Start = (env: Settings) => Promise<TestServer>;

/** Starts a server with a store that outlives it, and a webhook that it delivers to. */
export async function startStoring(settings: Settings = {}, reply?: Reply, start: Start = startServer) {
	const place = await startPlace(settings, reply);
	const server = await start(place.env);
	return { ...place, server, ...disposing(server, place) };
}

/** What takes leads into a store, where nobody delivers them. */
export function acceptInto(store: LeadStore, channels: Channel[]): AcceptDeps {
	const kept = { store, outbox: { saved: () => {}, quarantined: () => {} } };
	return { channels, kept, secret: store.secret, team, spam: undefined, log: pino({ level: 'silent' }) };
}

/** Accepts a lead with the mark that the server gives it. */
export const acceptNew = (lead: Partial<Lead>, sending: Sending, deps: AcceptDeps) =>
	accept(lead, sending, deps, onceFor(deps.secret, lead, sending));

/** Opens a store without a server: the tests take leads, and say what became of them. */
export async function startLeadKeeping(settings: Settings = {}) {
	const place = await startPlace({ LEAD_WEBHOOK_URL: 'https://hooks.example/secret-part', ...settings });
	const { channels } = channelsOf(readSettings(place.env));
	const store = await openStore({ kind: 'sqlite', path: place.path });
	const deps = acceptInto(store, channels);
	const idOfNewest = async () => (await store.list({ limit: 1 }))[0]!.id;
	const keys = (...args: string[]) => runCommand('keys', args, { env: place.env });
	return {
		...place,
		store,
		keys,
		issue: async (...args: string[]) => {
			const { stdout } = await keys('issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example', '--json', ...args);
			return JSON.parse(stdout) as { id: string; key: string; reply: string };
		},
		shownKey: async (id: string) => {
			const { keys: all } = JSON.parse((await keys('list', '--json')).stdout) as { keys: Record<string, unknown>[] };
			return all.find((key) => key['id'] === id)!;
		},
		async take(fields: LeadValues = {}) {
			expect(await acceptNew(leadSchema.parse(leadOf(fields)), {}, deps)).toMatchObject({ result: 'accepted' });
			return idOfNewest();
		},
		async quarantine(submission: Record<string, unknown>) {
			await acceptNew(trimHit(submission), { isHit: true }, deps);
			return idOfNewest();
		},
		/** Ends a try of all that is due for a channel, by default the first. @returns how many there were */
		async tried(result: DeliveryResult = { state: 'sent' }, channel = channels[0]!.name) {
			const { claimed: due } = await store.claim({ channel, owner: 'test', limit: 1000, lease: 60_000 });
			for (const { id } of due) await store.recordResult({ id, channel, owner: 'test' }, result);
			return due.length;
		},
		...disposing(store, place),
	};
}

/** Opens in this process the part of a server that takes and delivers leads. What takes a lead resolves when that was tried once. */
export async function startBackend(settings: Settings = {}, reply?: Reply) {
	const place = await startPlace(settings, reply);
	const log: Record<string, unknown>[] = [];
	const open = () => {
		const read = readSettings(place.env);
		const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
		return openBackend(read, openLog(read.LOG_LEVEL, write));
	};
	let backend = await open();
	const tryDue = async () => backend.kept?.outbox.tryDue();
	return {
		...place,
		log,
		refuseNotices() {
			using file = place.database();
			const refusal = `SELECT RAISE(ABORT, 'No notices.')`;
			file.exec(`CREATE TRIGGER no_notice BEFORE INSERT ON lead_entries WHEN NEW.kind = 'notice' BEGIN ${refusal}; END`);
		},
		tryDue,
		/** @returns the result, which is `accepted` for a lead that was taken */
		async send(fields: LeadValues = {}, sending: Sending = {}) {
			const { result } = await acceptNew(leadSchema.parse(leadOf(fields)), sending, backend);
			await tryDue();
			return result;
		},
		async take(...lead: [fields?: LeadValues, sending?: Sending]) {
			expect(await this.send(...lead)).toBe('accepted');
		},
		async judged(...lead: [fields?: LeadValues, sending?: Sending]) {
			await this.take(...lead);
			return (await this.list())[0]!;
		},
		async quarantine(submission: Record<string, unknown>) {
			await acceptNew(trimHit(submission), { isHit: true }, backend);
			await tryDue();
		},
		received: place.receiver.events,
		async restart(changes: Settings) {
			await backend.stop();
			Object.assign(place.env, changes);
			backend = await open();
			await tryDue();
		},
		...disposing({ [Symbol.asyncDispose]: () => backend.stop() }, place),
	};
}

export async function startMailing(settings: Settings = {}, smtpOptions?: SmtpServerOptions) {
	const smtp = await startSmtpServer(smtpOptions);
	const backend = await startBackend({ ...smtp.settings, ...settings });
	return { ...backend, smtp, ...disposing(backend, smtp) };
}
