import { expect, test } from 'vitest';
import { meantAddress } from '../../src/lead/mail-providers.ts';

const mistyped = Object.entries({
	'gmail.com': 'gmial.com gmal.com gmaill.com GNAIL.COM gmail.co gmail.cm gmial.con',
	'hotmail.com': 'hotmail.co',
	'hotmail.fr': 'hotmial.fr',
	'yahoo.co.uk': 'yaho.co.uk',
	't-online.de': 't-onlin.de',
	'aol.com': 'aol.con',
	'clinicasol.com': 'clinicasol.cmo clinicasol.cim',
}).flatMap(([meant, all]) => all.split(' ').map((typed) => [typed, meant]));

test.each(mistyped)('at %s, one at %s is meant', (typed, meant) => {
	expect(meantAddress(`Ana@${typed}`)).toBe(`Ana@${meant}`);
});

const right = `gmail.com googlemail.com GMAIL.com mail.com ymail.com email.com gmx.de gmx.at hotmail.fr hotmail.it yahoo.com.br
	yahoo.co.uk outlook.es outlook.pt bol.com.br uol.com.br mail.de web.de live.nl`.split(/\s+/);
/** Two letters away, or near a name so short that firms are as near. */
const far = 'gmmial.com gmail.de be.com box.net wed.de'.split(' ');
const others = 'clinicasol.example clinicasol.com clinica.co gmail.com.clinicasol.example xn--clnica-4va.example'.split(' ');

test.each([...right, ...far, ...others, ''])('at %s, no other is meant', (domain) => {
	expect(meantAddress(`ana@${domain}`)).toBeUndefined();
});

test.each(['', 'ana', '@', 'ana@b, eve@gmail', 'x'.repeat(9000)])('a text that is no address means none: %s', (text) => {
	expect(meantAddress(text)).toBeUndefined();
});
