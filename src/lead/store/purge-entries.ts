/** How a statement names what it is given. */
type Names = Record<'now' | 'age' | 'releasableAge' | 'cap' | 'batch', string>;

/** The same for both databases: what was kept for long enough, then what is too much. Each selection goes by an index, and is no larger than a batch. */
export function purgeEntries({ now, age, releasableAge, cap, batch }: Names): string {
	const [releasable, faulty] = ['TRUE', 'FALSE'].map((value) => `state = 'quarantined' AND releasable = ${value}`);
	const selections = [
		`state = 'delivered' AND received_at <= ${now} - ${age} LIMIT ${batch}`,
		`${releasable} AND received_at <= ${now} - ${releasableAge} LIMIT ${batch}`,
		`${faulty} AND received_at <= ${now} - ${age} LIMIT ${batch}`,
		...[releasable, faulty].map((kept) => `${kept} ORDER BY received_at DESC LIMIT ${batch} OFFSET ${cap}`),
	].map((where) => `SELECT id FROM (SELECT id FROM lead_entries WHERE ${where}) AS found`);
	return `DELETE FROM lead_entries WHERE id IN (${selections.join(' UNION ALL ')} LIMIT ${batch})`;
}
