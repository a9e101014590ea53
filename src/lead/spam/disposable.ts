import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import type { Signal } from './signal.ts';

/** An address at a service whose mailboxes last for minutes. Services that forward mail to a real mailbox are not on the list. */
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
	look: ({ lead: { email } }) => email !== undefined && isListed(email.slice(email.lastIndexOf('@') + 1).toLowerCase()) && 'weak',
	cases: [
		[{ email: 'ana@mailinator.com' }, 'weak'],
		[{ email: 'ana@mail.mailinator.com' }, 'weak'],
		[{ email: 'ana@posteo.de' }, false],
		[{ email: 'clinic@duck.com' }, false],
	],
};

/** Made once: it takes a millisecond. */
let listed: Set<string> | undefined;

/** Relays that the list names, although people use them for years. */
const relays = new Set(['opayq.com', 'simplelogin.co', 'anonaddy.com', 'spamgourmet.com', '33mail.com']);

function isListed(domain: string): boolean {
	listed ??= disposableEmailBlocklistSet();
	const above = domain.split('.').slice(-2).join('.');
	return !relays.has(above) && (listed.has(domain) || listed.has(above));
}
