/** One thing that a message tells. */
export interface Row {
	/** What it is, for those who show some rows in their own way: of a lead, the field's name. */
	name: string;
	label: string;
	/** May have several lines. */
	value: string;
	/** `false`: for mail only. */
	inChat?: boolean;
	/** What a visitor wrote in their own words, however long. */
	freeText?: boolean;
}

/** Rows as plain text. */
export const textOf = (rows: Row[]): string => rows.map(lineOf).join('\n');

/** Several lines are set in, so that none of them can pose as a row of its own. */
function lineOf({ label, value }: Row): string {
	return value.includes('\n') ? `${label}:\n${value.replace(/^(?=.)/gm, '  ')}` : `${label}: ${value}`;
}
