import { DatabaseSync } from 'node:sqlite';
import { test } from 'vitest';
import { service } from '../../src/facts/load.ts';
import { openStore } from '../../src/store/index.ts';
import type { LeadStore } from '../../src/store/store.ts';
import { runCommand } from './operator-command.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A test of issued API keys: skipped if none are issued. */
export const testWhereIssued = test.skipIf(service.keys === 'none');

/** Creates a lead store in a file, and the command for its API keys. */
export async function startKeyKeeping(settings: Record<string, string> = {}) {
	const folder = await temporaryFolder();
	const path = `${folder.path}/leads.db`;
	const env = { LEAD_STORE: `sqlite:${path}`, ...settings };
	const keys = (...args: string[]) => runCommand('keys', args, { env });
	const inStore = async <Result>(work: (store: LeadStore) => Promise<Result>) => {
		await using store = await openStore({ kind: 'sqlite', path });
		return await work(store);
	};
	// Creates the file.
	await inStore(() => Promise.resolve());
	return {
		env,
		keys,
		/** Issues a key to somebody. */
		issue: async (...args: string[]) => {
			const { stdout } = await keys('issue', '--name', 'Ana Ruiz', '--email', 'ana@clinicasol.example', '--json', ...args);
			return JSON.parse(stdout) as { id: string; key: string; reply: string };
		},
		/** Returns a key as `list --json` has it. */
		shown: async (id: string) => {
			const { keys: all } = JSON.parse((await keys('list', '--json')).stdout) as { keys: Record<string, unknown>[] };
			return all.find((key) => key['id'] === id)!;
		},
		/** Counts the keys. */
		count: () => inStore(async (store) => (await store.keys.list()).length),
		inStore,
		/** Makes the row of a key unreadable. */
		spoil(id: string): void {
			using database = new DatabaseSync(path, { timeout: 5000 });
			database.prepare(`UPDATE api_keys SET content = x'00' WHERE id = ?`).run(id);
		},
		[Symbol.asyncDispose]: folder[Symbol.asyncDispose],
	};
}
