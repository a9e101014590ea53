import type { Signal } from './signal.ts';

/**
 * A Gmail name cut by dots at random, as robots do to have many names for one mailbox. People who write dots put them between
 * names, or spell out their own.
 */
export const dots: Signal = {
	name: 'dots',
	reason: {
		en: 'The Gmail address has dots at random places.',
		de: 'Die Gmail-Adresse hat Punkte an zufälligen Stellen.',
		es: 'La dirección de Gmail tiene puntos en lugares al azar.',
		fr: 'L’adresse Gmail a des points à des endroits aléatoires.',
		pt: 'O endereço do Gmail tem pontos em lugares aleatórios.',
		ar: 'في عنوان Gmail نقاط في مواضع عشوائية.',
	},
	look({ lead: { email = '', name = '', clinic = '' } }) {
		const [, local] = /^([^@+]{1,64})(?:\+[^@]*)?@(?:gmail|googlemail)\.com$/i.exec(email) ?? [];
		if (local === undefined) return undefined;
		const parts = local.toLowerCase().split('.');
		if (parts.length < 5 || local.length > 4 * parts.length) return false;
		return !spells(parts.join(''), `${name} ${clinic}`) && 'weak';
	},
	cases: [
		[{ email: 'h.o.v.u.je.ki.b.29@gmail.com', name: 'Robertneumn' }, 'weak'],
		[{ email: 'm.a.r.i.a.s@gmail.com', name: 'Maria Soto' }, false],
		[{ email: 'j.r.r.t.m@gmail.com', name: 'Jo Rae Ruth T. Miller' }, false],
		[{ email: 'maria.del.mar.lopez.ruiz@gmail.com', name: 'M. López' }, false],
		[{ email: 'ana@clinic.example' }, undefined],
	],
};

/** Returns whether letters are a person's name or its initials, or hold a part of it. */
function spells(letters: string, name: string): boolean {
	const words =
		name
			.toLowerCase()
			.normalize('NFD')
			.replace(/\p{M}/gu, '')
			.match(/\p{L}+/gu) ?? [];
	const initials = words.map((word) => word[0]).join('');
	return (initials.length > 2 && letters.startsWith(initials)) || words.some((word) => word.length > 2 && letters.includes(word));
}
