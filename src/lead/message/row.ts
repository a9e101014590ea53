/** One item of a message. */
export interface Row {
	/** Identifies the row for channels that show some rows in their own way. For a lead it is the field's name. */
	name: string;
	label: string;
	/** May have several lines. */
	value: string;
	/** `false`: for mail only. */
	inChat?: boolean;
	/** The visitor's own words, however long. */
	freeText?: boolean;
}

/** Rows as plain text. */
export const textOf = (rows: Row[]): string => rows.map(lineOf).join('\n');

/** Indents a value of several lines, so that none of them can pose as a row. */
function lineOf({ label, value }: Row): string {
	return value.includes('\n') ? `${label}:\n${value.replace(/^(?=.)/gm, '  ')}` : `${label}: ${value}`;
}
