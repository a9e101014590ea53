import { isIP } from 'node:net';
import * as z from 'zod';
import { withAsciiDomain } from '../../lead/email-address.ts';
import { mustBe, valueFrom } from '../../values/value.ts';

/** Faults of variables that belong together: the variable, and the rest of the sentence. A falsy item is no fault. */
export type Faults = ([variable: string, fault: string] | '' | false | undefined)[];

/** Returns the fault of a variable that is missing but that another one needs. */
export const missing = (variable: string, because: string, example: string): [variable: string, fault: string] => [
	variable,
	`is missing: ${because}, for example ${variable}=${example}`,
];

export type Values<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

/**
 * Returns a group of settings.
 *
 * @param variables each with its rule; also those of another group that a check needs
 * @param faultsOf returns the faults of their combination; called if each is right by itself
 * @param settingsOf returns the settings for the program
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

/** A switch. True for `on`. */
export const onOff = (preset: 'on' | 'off') =>
	z
		.enum(['on', 'off'], mustBe('on or off', 'on'))
		.prefault(preset)
		.transform((value) => value === 'on');

/** A name or an address (RFC 4007 section 11: `fe80::1%eth0` too), without brackets and port. */
export const host = z
	.string()
	.refine((value) => isIP(value) > 0 || /^[\w.-]+$/.test(value), mustBe('a host name or an address', 'localhost'));

export const port = valueFrom(
	(text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
	Number,
	mustBe('a port, 65535 at most', '4321'),
);

/** A mailbox (RFC 5321 section 4.5.3.1.3 limits its length), with its domain in ASCII. */
export const address = (wish: string, example: string) =>
	z
		.string()
		.transform(withAsciiDomain)
		.pipe(z.email(mustBe(wish, example)).max(254, mustBe(wish, example)));

export const siteOrigin = z
	.string()
	.refine(
		(value) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value,
		mustBe('an origin (scheme and host, no path, no slash at the end)', 'https://www.example.com'),
	);

/** Returns the protocol with its colon, or undefined if the value is no URL. */
export const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : undefined);
