import * as z from 'zod';

const text = z.string().trim().min(1);

/** Words about a number by plural category (CLDR); `other` fills in for a missing one. A name in braces stands for the number. */
export const countedSchema = z.strictObject({
	zero: text.optional(),
	one: text.optional(),
	two: text.optional(),
	few: text.optional(),
	many: text.optional(),
	other: text,
});

export type Counted = z.output<typeof countedSchema>;
