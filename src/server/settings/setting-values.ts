import { isIP } from 'node:net';
import * as z from 'zod';
import { must, written } from '../../values/value.ts';

/** What is wrong with variables that belong together: the one at fault, and the rest of the sentence. What a condition makes falsy is none. */
export type Faults = ([variable: string, fault: string] | '' | false | undefined)[];

/** A variable that another one needs. */
export const missing = (variable: string, because: string, example: string): [variable: string, fault: string] => [
	variable,
	`is missing: ${because}, for example ${variable}=${example}`,
];

/** What is in the variables of a group. */
export type Values<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

/**
 * A group of settings.
 *
 * @param variables each with what it must be; those of another group, too, that a check needs
 * @param faultsOf what is wrong with them as a whole; asked when each is right by itself
 * @param settingsOf what the program reads of them
 */
export const group = <Variables extends z.ZodRawShape, Settings>(
	variables: Variables,
	faultsOf: (values: Values<Variables>) => Faults,
	settingsOf: (values: Values<Variables>) => Settings,
) =>
	z.object(variables).transform((values, context) => {
		for (const [variable, message] of faultsOf(values).filter((fault) => !!fault))
			context.addIssue({ code: 'custom', path: [variable], message });
		return settingsOf(values);
	});

/** A switch; true for `on`. */
export const onOff = (preset: 'on' | 'off') =>
	z
		.enum(['on', 'off'], must('on or off', 'on'))
		.prefault(preset)
		.transform((value) => value === 'on');

/** A name or an address (RFC 4007 section 11: `fe80::1%eth0` too), without brackets and port. */
export const host = z
	.string()
	.refine((value) => isIP(value) > 0 || /^[\w.-]+$/.test(value), must('a host name or an address', 'localhost'));

export const port = written(
	(text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
	Number,
	must('a port, 65535 at most', '4321'),
);

/** A mailbox (RFC 5321 section 4.5.3.1.3 limits its length). */
export const address = (wish: string, example: string) => z.email(must(wish, example)).max(254, must(wish, example));

export const siteOrigin = z
	.string()
	.refine(
		(value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
		must('an origin (scheme and host, no path, no slash at the end)', 'https://www.example.com'),
	);

/** With its colon; undefined where the value is no URL. */
export const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : undefined);
