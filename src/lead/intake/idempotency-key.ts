/**
 * The published form of `Idempotency-Key`: 1 to 255 characters in quotes (draft-ietf-httpapi-idempotency-key-header-07, section
 * 2: a String of RFC 9651, section 3.3.3) or, as many clients send it, visible ASCII without quotes.
 */
export const idempotencyKeyForm = /^(?:[!#-~]{1,255}|"(?:[ !#-[\]-~]|\\["\\]){1,255}")$/;

/** Returns the key in the header's value, without its quotes. Returns undefined if the value is malformed. */
export function idempotencyKeyFrom(value: string): string | undefined {
	if (!idempotencyKeyForm.test(value)) return undefined;
	return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
