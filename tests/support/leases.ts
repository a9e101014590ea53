import { connectedTo } from './postgres.ts';

/** Makes every lease in a database a minute older, so that nobody has to wait for it. @returns the number of leases */
export async function endLeases(database: string): Promise<number> {
	await using client = await connectedTo(database);
	const { rowCount } = await client.query(
		'UPDATE lead_deliveries SET since = since - 60000, due_at = due_at - 60000 WHERE lease_owner IS NOT NULL',
	);
	return rowCount ?? 0;
}
