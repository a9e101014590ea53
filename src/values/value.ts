import * as z from 'zod';

/** Returns an error that says what a value must be. */
export const mustBe = (wish: string, example: string) => ({ error: `must be ${wish}, for example ${example}` });

/** A value in a certain notation, and how to read it. */
export const valueFrom = <Value>(isRight: (text: string) => boolean, read: (text: string) => Value, fault: { error: string }) =>
	z.string().refine(isRight, fault).transform(read);

/** At most nine digits, which fit into 32 bits. */
export const isAmount = (value: string) => /^[1-9]\d{0,8}$/.test(value);

/** Several values in one text, at least one. */
export const listOf = <Item extends z.ZodType<unknown, string>>(separator: RegExp, item: Item) =>
	z
		.string()
		.transform((value) => value.split(separator).filter(Boolean))
		// A text of separators alone becomes one empty value, which no item accepts: so the error is the item's own.
		.transform((parts) => (parts.length > 0 ? parts : ['']))
		.pipe(z.array(item));

/** Returns true if a URL leads to this machine and nowhere else (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);

/** A text of this form. */
export const textLike = (form: RegExp, wish: string, example: string) => z.string().regex(form, mustBe(wish, example));
