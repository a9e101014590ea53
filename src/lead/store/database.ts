/** A value of a column. Flags are 0 or 1, times are in milliseconds since the epoch. */
export type Value = string | number | Uint8Array | null;

/** Runs one statement, with `$1`, `$2` … for the values, and returns its rows. Both databases read the same SQL. */
export type Run = <Row = Record<string, Value>>(sql: string, values?: Value[]) => Promise<Row[]>;

/** One database: a file of SQLite, or PostgreSQL. Every function rejects with a `StoreError`. */
export interface Database extends AsyncDisposable {
	/** Reads what is committed. */
	readonly read: Run;
	/** Runs one statement at once, beside all other work, or rejects within about a second. Only where instances share the database. */
	readonly atOnce?: Run;
	/**
	 * Does work in one transaction, and resolves after its commit: then it is on the disk. If it rejects, nothing of it is saved, and
	 * nothing of the work beside it is lost. The work may wait for nothing but `run`.
	 *
	 * @param work gets the time by the clock of the database
	 */
	write<Result>(work: (run: Run, now: number) => Promise<Result>): Promise<Result>;
	/** Returns the time by the clock of the database. */
	now(): Promise<number>;
	/** Removes deleted rows from the files. @returns false if somebody still reads them, or they cannot be written anew */
	scrub(): Promise<boolean>;
	/** Ends a selection of rows that the transaction goes on to change. */
	readonly lock: string;
	/** Ends such a selection where others should meanwhile take other rows. */
	readonly skipLocked: string;
}
