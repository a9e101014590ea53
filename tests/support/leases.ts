import { connectedTo } from './postgres.ts';

/** Lets a minute pass for every lease in a database, so that nobody has to wait for it. @returns how many there were */
export async function endLeases(database: string): Promise<number> {
	await using client = await connectedTo(database);
	const { rowCount } = await client.query(
		'UPDATE lead_deliveries SET since = since - 60000, due_at = due_at - 60000 WHERE lease_owner IS NOT NULL',
	);
	return rowCount ?? 0;
}
