import * as z from 'zod';

/** A text that is not empty. */
export const textSchema = z.string().trim().min(1);

/** Words about a number by plural category (CLDR); `other` fills in for a missing one. A name in braces stands for the number. */
export const countedSchema = z.strictObject({
	zero: textSchema.optional(),
	one: textSchema.optional(),
	two: textSchema.optional(),
	few: textSchema.optional(),
	many: textSchema.optional(),
	other: textSchema,
});

export type Counted = z.output<typeof countedSchema>;
