import * as z from 'zod';
import { ArgumentError } from '../command.ts';
import { leadSchema } from '../../lead/lead.ts';
import { keyDefaults } from '../../facts/facts.ts';
import { nearest } from '../../facts/mistake.ts';
import { rateLimit } from '../../values/rate-limit-policy.ts';
import { duration, durationOrNone, LONGEST_KEPT } from '../../values/time.ts';
import { mustBe, listOf } from '../../values/value.ts';
import { service } from '../../facts/load.ts';

/** The names of all scopes. */
export const scopes = Object.keys(service.scopes);

/** The values of options that are not given. */
export const defaults = {
	scopes: scopes.join(','),
	limit: `${keyDefaults.leads}/${keyDefaults.minutes}m`,
	expires: `${keyDefaults.years}y`,
	overlap: `${keyDefaults.overlapDays}d`,
};

/** The forms that the values of options must have. Times are in seconds. */
const schemas = {
	name: asInLead(leadSchema.shape.name, 'a name, no longer than in a lead', '"Ana Ruiz"'),
	email: asInLead(leadSchema.shape.email, 'an email address, as in a lead', 'ana@clinicasol.example'),
	scopes: listOf(/[\s,]+/, z.enum(scopes, { error: ({ input }) => noScope(String(input)) })),
	limit: rateLimit(defaults.limit),
	expires: duration(LONGEST_KEPT, defaults.expires),
	overlap: durationOrNone(LONGEST_KEPT, defaults.overlap),
};

/**
 * Reads the value of an option.
 *
 * @throws {ArgumentError} naming the option, the values that it takes, and an example
 */
export function parseOption<Name extends keyof typeof schemas>(option: Name, text: string) {
	const { data, error } = schemas[option].safeParse(text);
	if (error) throw new ArgumentError(`--${option} ${error.issues[0]!.message}.`);
	return data as z.output<(typeof schemas)[Name]>;
}

function asInLead<Schema extends z.ZodType<unknown, string>>(schema: Schema, wish: string, example: string) {
	return z
		.string()
		.refine((text) => schema.safeParse(text).success, mustBe(wish, example))
		.pipe(schema);
}

function noScope(name: string): string {
	const wish = `must be some of ${scopes.join(', ')}, with commas between, for example ${defaults.scopes}`;
	const meant = nearest(name, scopes);
	return meant === undefined ? wish : `${wish}: there is no scope ${name}, perhaps ${meant} is meant`;
}
