import { describe, expect, test } from 'vitest';
import { fieldErrors } from '../../src/lead/intake/field-error.ts';
import { leadFields, leadSchema } from '../../src/lead/lead.ts';
import { wordsOf } from '../../src/lead/words.ts';
import { localeOf } from '../../src/facts/language.ts';
import { languages } from '../../src/facts/load.ts';
import { lead as valid } from '../support/post-lead.ts';

const errorsOf = (input: Record<string, unknown>, language = 'en') => {
	const { error } = leadSchema.safeParse(input);
	return error ? fieldErrors(error, 'visitor', language) : [];
};

describe('a lead', () => {
	test('needs what is required, and no more', () => {
		expect(errorsOf(valid)).toEqual([]);
	});

	test('is trimmed and loses members that it does not know', () => {
		expect(leadSchema.parse({ ...valid, name: '  Ana Ruiz\n', role: 'owner' })).toEqual(valid);
	});

	test('keeps the lines of a message and what is written with joiners', () => {
		expect(leadSchema.parse({ ...valid, message: ' a\r\nb\u2028c 👩‍⚕️ می‌خواهم ' }).message).toBe('a\nb\nc 👩‍⚕️ می‌خواهم');
	});

	test('loses control characters, direction overrides and lone surrogates', () => {
		expect(leadSchema.parse({ ...valid, name: 'A\u0000na\u202E \uD800Ruiz\r\nBcc: x' }).name).toBe('Ana �Ruiz Bcc: x');
	});

	test.each([120, 121])('counts code points against its limits: %i of 120', (length) => {
		expect(errorsOf({ ...valid, name: '𝒜'.repeat(length) }).map(({ code }) => code)).toEqual(
			length > 120 ? ['name_too_long'] : [],
		);
	});

	test.each([
		[{}, leadFields.filter(({ required }) => required).map(({ name }) => `${name}_required`)],
		[{ ...valid, name: ' \u200e ' }, ['name_required']],
		[{ ...valid, name: 7 }, ['name_invalid']],
		[{ ...valid, phone: 7 }, ['phone_invalid']],
		[{ ...valid, website: false }, ['website_invalid']],
		[{ ...valid, phone: '1'.repeat(41) }, ['phone_too_long']],
		[{ ...valid, consent: 'yes' }, ['consent_required']],
		[{ ...valid, consent: 'ON' }, ['consent_required']],
		[{ ...valid, consent: ' on ' }, ['consent_required']],
		[{ ...valid, email: '' }, ['email_required']],
	])('%o has the errors %o', (input, codes) => {
		expect(errorsOf(input).map(({ code }) => code)).toEqual(codes);
	});

	test.each(['name', 'email'])('is not looked at any closer where %s is too long', (field) => {
		const { error } = leadSchema.safeParse({ ...valid, [field]: '\u200B'.repeat(5000) });
		expect(error?.issues).toMatchObject([{ path: [field], message: 'too_long' }]);
	});

	test('has errors that a visitor understands', () => {
		expect(errorsOf({ ...valid, email: 'ana', message: 'x'.repeat(5001) }).map(({ detail }) => detail)).toEqual([
			'Enter one email address, such as ana@clinic.example.',
			'Use at most 5,000 characters for “How can we help?”.',
		]);
	});

	test.each(languages)('has errors with numbers as readers of %s write them', (language) => {
		const [error] = errorsOf({ ...valid, message: 'x'.repeat(5001) }, language);
		expect(error!.detail).toContain((5000).toLocaleString(localeOf(language)));
	});
});

describe('the words of a field', () => {
	const [name, lang] = ['name', 'lang'].map((wanted) => leadFields.find((field) => field.name === wanted)!);

	test('in English are those of the field itself where the contact page has none', () => {
		expect([wordsOf(name!, 'en').label, wordsOf(lang!, 'en').label]).toEqual(['Your name', 'Language']);
	});
});

describe('an email address', () => {
	test.each([
		'ana@clinic.com',
		"o'neil+leads@sub.clinic.co.uk",
		'ana.ruiz@clínica.example',
		'unal@exämple.de',
		'a@b.museum',
		'yonghu@例子.世界',
		`${'a'.repeat(64)}@clinic.com`,
		`ana@${'a'.repeat(63)}.com`,
	])('may be %s', (email) => expect(errorsOf({ ...valid, email })).toEqual([]));

	test('whose domain has other letters is kept in ASCII, and any other as it was written', () => {
		expect(leadSchema.parse({ ...valid, email: 'Ana@Clínica.example' }).email).toBe('Ana@xn--clnica-4va.example');
		expect(leadSchema.parse({ ...valid, email: 'Ana@Clinica.example' }).email).toBe('Ana@Clinica.example');
	});

	test.each([
		'ana',
		'ana@clinic',
		'ana@clinic..com',
		'ana@-clinic.com',
		'@clinic.com',
		'ana@clinic.com.',
		'ana@clinic.-com',
		'ana@clinic.xn--',
		'ana@clínica',
		'ana@-clínica.example',
		'ana@clinic.com, eve@evil.example',
		'ana@clinic.com;eve@evil.example',
		'Ana <ana@clinic.com>',
		'"ana"@clinic.com',
		'ana@[192.0.2.1]',
		'ana(comment)@clinic.com',
		'group:ana@clinic.com',
		'ana@clinic.com\r\nBcc: eve@evil.example',
		'ana@eve@clinic.com',
		`${'a'.repeat(65)}@clinic.com`,
		`a.${'b'.repeat(63)}@clinic.com`,
		`ana@${'a'.repeat(64)}.com`,
		'.ana@clinic.com',
		'ana.@clinic.com',
		'a..b@clinic.com',
		'añá@clinic.com',
		'用户@例子.世界',
		'ana@clinic.c',
		'ana@clinic.c-',
		'ana@clinic.123',
		'ana@192.0.2.1',
		'ana@１９２.０.２.１',
		'ana@clínica.example/x',
	])('may not be %j', (email) => {
		expect(errorsOf({ ...valid, email }).map(({ code }) => code)).toEqual(['email_invalid']);
	});
});
