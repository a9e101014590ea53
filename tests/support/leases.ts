import pg from 'pg';

/** Lets a minute pass for every lease in a database, so that nobody has to wait for it. @returns how many there were */
export async function endLeases(database: string): Promise<number> {
	const client = new pg.Client(database);
	await client.connect();
	const { rowCount } = await client.query(
		'UPDATE lead_deliveries SET since = since - 60000, due_at = due_at - 60000 WHERE lease_owner IS NOT NULL',
	);
	await client.end();
	return rowCount ?? 0;
}
