import { DatabaseSync } from 'node:sqlite';
import { runLeads } from './leads-command.ts';
import { startServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** A server with a store that outlives it and a webhook that it delivers to, and the operator beside it. */
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
		/** The store's file, for whoever holds it or changes it behind the server's back. */
		database,
		/** From now on the store fails where a notice is to be saved. */
		refuseNotices() {
			using file = database();
			const refusal = `SELECT RAISE(ABORT, 'No notices.')`;
			file.exec(`CREATE TRIGGER no_notice BEFORE INSERT ON lead_entries WHEN NEW.kind = 'notice' BEGIN ${refusal}; END`);
		},
		async [Symbol.asyncDispose]() {
			for (const resource of [server, receiver, folder]) await resource[Symbol.asyncDispose]();
		},
	};
}
