/** The digits of Crockford's base 32 (https://www.crockford.com/base32.html): without I, L, O and U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the name of an entry for people, such as `7Q4F-K2M9`: the last forty bits of its UUID, which are random. */
export function referenceOf(id: string): string {
	const digits = Number(`0x${id.slice(-10)}`)
		.toString(32)
		.padStart(8, '0');
	const text = digits.replace(/./g, (digit) => DIGITS[parseInt(digit, 32)]!);
	return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** Returns the part of an id that a person has written: a reference, in any case and with O for 0 and I or L for 1, or else the part itself. */
export function idPartOf(written: string): string {
	const text = written
		.toUpperCase()
		.replace(/^(.{4})-(.{4})$/, '$1$2')
		.replaceAll('O', '0')
		.replace(/[IL]/g, '1');
	const values = [...text].map((digit) => DIGITS.indexOf(digit));
	if (values.length !== 8 || values.includes(-1) || /^[\dA-F]{8}$/.test(written.toUpperCase())) return written.toLowerCase();
	return values
		.reduce((number, value) => number * 32 + value, 0)
		.toString(16)
		.padStart(10, '0');
}
