import { DatabaseSync } from 'node:sqlite';
import { runLeads } from './leads-command.ts';
import { startServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** Starts a server with a store that outlives it, a webhook that it delivers to, and the operator's command. */
export async function startStoring(
	settings: Record<string, string> = {},
	reply: Parameters<typeof startWebhookReceiver>[0] = {},
) {
	const folder = await temporaryFolder();
	const receiver = await startWebhookReceiver(reply);
	const env = { LEAD_STORE: `sqlite:${folder.path}/leads.db`, LEAD_WEBHOOK_URL: receiver.url, ...settings };
	const server = await startServer(env);
	const database = () => new DatabaseSync(`${folder.path}/leads.db`, { timeout: 5000 });
	return {
		env,
		folder: folder.path,
		receiver,
		server,
		leads: (...args: string[]) => runLeads(args, env),
		/** Opens the store's file, to lock it or to change it behind the server's back. */
		database,
		/** Returns the states of the leads, oldest first. */
		states() {
			using file = database();
			const rows = file.prepare(`SELECT state FROM lead_entries WHERE kind = 'lead' ORDER BY id`).all();
			return rows.map(({ state }) => (['held', 'announced', 'faulty'].includes(String(state)) ? 'quarantined' : state));
		},
		async [Symbol.asyncDispose]() {
			for (const resource of [server, receiver, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}
