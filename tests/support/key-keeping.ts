import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/lead/store/index.ts';
import type { LeadStore } from '../../src/lead/store/store.ts';
import { runCommand } from './operator-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A lead store in a file, and the command for API keys that works on it. */
export async function startKeyKeeping(settings: Record<string, string> = {}) {
	const folder = await temporaryFolder();
	const path = `${folder.path}/leads.db`;
	const env = { LEAD_STORE: `sqlite:${path}`, ...settings };
	const keys = (...args: string[]) => runCommand('keys', args, { env });
	const inStore = async <Result>(work: (store: LeadStore) => Promise<Result>) => {
		await using store = await openStore({ kind: 'sqlite', path });
		return await work(store);
	};
	// It makes the file.
	await inStore(() => Promise.resolve());
	return {
		env,
		keys,
		/** With this on standard input. */
		check: (input: string, ...args: string[]) => runCommand('keys', ['check', ...args], { env, input }),
		/** Issues a key to somebody. */
		issue: async (...args: string[]) => {
			const { stdout } = await keys('issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example', '--json', ...args);
			return JSON.parse(stdout) as { id: string; key: string; reply: string };
		},
		/** What `show` tells programs. */
		shown: async (id: string) => JSON.parse((await keys('show', id, '--json')).stdout) as Record<string, unknown>,
		/** How many keys there are. */
		count: () => inStore(async (store) => (await store.keys.list()).length),
		inStore,
		/** Leaves something of a key's row that nobody can read. */
		spoil(id: string): void {
			using database = new DatabaseSync(path, { timeout: 5000 });
			database.prepare(`UPDATE api_keys SET content = x'00' WHERE id = ?`).run(id);
		},
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}
