import type { Signal } from './signal.ts';
import { spells } from './spelling.ts';

/**
 * A Gmail address with three or more dots between few letters: robots make many addresses for one mailbox this way. An address that spells the
 * sender's name or clinic does not count.
 */
export const dots: Signal = {
	name: 'dots',
	reason: {
		en: 'The Gmail address has dots at random places.',
		de: 'Die Gmail-Adresse hat Punkte an zufälligen Stellen.',
		es: 'La dirección de Gmail tiene puntos en lugares aleatorios.',
		fr: 'L’adresse Gmail a des points à des endroits aléatoires.',
		pt: 'O endereço do Gmail tem pontos em lugares aleatórios.',
		ar: 'في عنوان Gmail نقاط في مواضع عشوائية.',
	},
	look({ lead: { email = '', name = '', clinic = '' } }) {
		const [, local] = /^([^@+]{1,64})(?:\+[^@]*)?@(?:gmail|googlemail)\.com$/i.exec(email) ?? [];
		// Names in another script cannot be compared.
		if (local === undefined || !/[a-z]/i.test(name + clinic)) return undefined;
		const parts = local.split('.');
		return parts.length > 3 && local.length <= 4 * parts.length && !spells(local, `${name} ${clinic}`) && 'weak';
	},
	cases: [
		[{ email: 'h.o.v.u.je.ki.b.29@gmail.com', name: 'Robertneumn' }, 'weak'],
		[{ email: 'kb.xosw.un.sl20@gmail.com', name: 'Keira Dunmore' }, 'weak'],
		[{ email: 'm.a.r.i.a.s@gmail.com', name: 'Maria Soto' }, false],
		[{ email: 'k.u.j.moeller@gmail.com', name: 'Kai-Uwe Jan Möller' }, false],
		[{ email: 'n.h.m.a.psych@gmail.com', name: 'نور الهدى' }, undefined],
		[{ email: 'j.r.r.t.m@gmail.com', name: 'Jo Rae Ruth T. Miller' }, false],
		[{ email: 'maria.del.mar.lopez.ruiz@gmail.com', name: 'M. López' }, false],
		[{ email: 'ana@clinic.example' }, undefined],
	],
};
