import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import type { Signal } from './signal.ts';
import { spells } from './spelling.ts';

/**
 * An address at a service whose mailboxes last for minutes. Services that forward mail to a real mailbox do not count, nor does an
 * address that spells the sender's name: people keep such an alias.
 */
export const disposable: Signal = {
	name: 'disposable',
	reason: {
		en: 'The email address is of a service for throwaway addresses.',
		de: 'Die E-Mail-Adresse stammt von einem Anbieter für Wegwerfadressen.',
		es: 'La dirección de correo es de un servicio de direcciones desechables.',
		fr: 'L’adresse e-mail vient d’un service d’adresses jetables.',
		pt: 'O endereço de e-mail é de um serviço de endereços descartáveis.',
		ar: 'عنوان البريد من خدمة للعناوين المؤقتة.',
	},
	look({ lead: { email = '', name = '', clinic = '' } }) {
		const at = email.lastIndexOf('@');
		if (at < 0) return undefined;
		return (
			isListed(email.slice(at + 1, at + 255).toLowerCase()) &&
			!spells(email.slice(0, Math.min(at, 64)), `${name} ${clinic}`) &&
			'weak'
		);
	},
	cases: [
		[{ email: 'ana@mailinator.com' }, 'weak'],
		[{ email: 'ana@mail.mailinator.com' }, 'weak'],
		[{ email: 'abxbo@mailinator.com', name: 'A. Bo' }, 'weak'],
		[{ email: 'boxer@mailinator.com', name: 'A. Bo' }, false],
		[{ email: 'x.ana@mailinator.com', name: 'Ana' }, false],
		[{ email: 'jlf9@mailinator.com', name: 'Jean-Luc Fabre' }, false],
		[{ email: 'ana@posteo.de' }, false],
		[{}, undefined],
		[{ email: 'clinic@punkass.com' }, false],
	],
};

/** Made when it is first needed: it takes a millisecond. */
let listed: Set<string> | undefined;

/** Listed, although people keep addresses there for years: services that forward mail and, at `punkass.com`, ordinary mailboxes. */
const lasting = new Set(['opayq.com', 'simplelogin.co', 'anonaddy.com', 'spamgourmet.com', '33mail.com', 'punkass.com']);

function isListed(domain: string): boolean {
	listed ??= disposableEmailBlocklistSet();
	const above = domain.split('.').slice(-2).join('.');
	return !lasting.has(above) && (listed.has(domain) || listed.has(above));
}
