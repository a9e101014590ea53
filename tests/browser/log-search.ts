import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unseal } from '../../src/lead/store/seal.ts';
import type { TestProcess } from '../support/process.ts';

/** Fails, after the last test, if a server has logged a visitor's words. The stores in the folder have those words. */
export function searchLogs(folder: string, servers: TestProcess[]): void {
	const files = readdirSync(folder);
	const logs = servers.map(({ output }) => output);
	const written = new Set(files.filter((file) => file.endsWith('.db')).flatMap((file) => valuesIn(path.join(folder, file))));
	assert.ok(written.size > 0 && logs.every((log) => log.includes('Ready')), 'There is nothing to look for, or nowhere to look.');
	const told = [...written].filter((value) => logs.some((log) => log.includes(value)));
	assert.deepEqual(told, [], 'These values stand in a log.');
}

function valuesIn(store: string): string[] {
	const database = new DatabaseSync(store, { readOnly: true });
	const leadsOf = `SELECT payload AS text, key FROM lead_entries JOIN lead_keys ON slot = key_slot WHERE kind = 'lead'`;
	const rows = database.prepare(leadsOf).all() as { text: Uint8Array; key: Uint8Array }[];
	database.close();
	const leads = rows.map((row) => (JSON.parse(unseal(row)) as { lead: Record<string, string> }).lead);
	// Shorter values and our own paths may stand in any log.
	return leads.flatMap((lead) => Object.values(lead)).filter((value) => value.length > 5 && !value.startsWith('/'));
}
